import type { SyntaxNode } from './compile.ts'

/** Calls `visit` with every part of a syntax tree and the part it stands in, in the order of the text. */
export function walkSyntax(
  node: SyntaxNode,
  visit: (node: SyntaxNode, parent: SyntaxNode | undefined) => void,
  parent?: SyntaxNode,
): void {
  visit(node, parent)
  for (const value of Object.values(node)) {
    for (const child of Array.isArray(value) ? value : [value]) if (isNode(child)) walkSyntax(child, visit, node)
  }
}

/** Where a part stands: offsets into the text, which is taken to be plain ASCII. */
export function toRange(node: SyntaxNode): { readonly from: number; readonly to: number } {
  const [from = 0, length = 0] = node.src.split(':').map(Number)
  return { from, to: from + length }
}

function isNode(value: unknown): value is SyntaxNode {
  return typeof (value as SyntaxNode | null)?.nodeType === 'string'
}

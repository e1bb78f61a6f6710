import { ToolchainError } from './toolchainError.ts'

/** A part of a parsed source. `src` is where it stands: `offset:length:file`, in bytes. */
export type SyntaxNode = { readonly nodeType: string; readonly src: string } & Readonly<Record<string, unknown>>

/** Calls `visit` with every part of a syntax tree and the part it stands in, in the order of the text. */
export function walkSyntax(
  node: SyntaxNode,
  visit: (node: SyntaxNode, parent: SyntaxNode | undefined) => void,
  parent?: SyntaxNode,
): void {
  visit(node, parent)
  for (const value of Object.values(node)) {
    for (const child of Array.isArray(value) ? value : [value]) if (isSyntaxNode(child)) walkSyntax(child, visit, node)
  }
}

/** Where a part stands: offsets into the text, which is taken to be plain ASCII. */
export function toRange(node: SyntaxNode): { readonly from: number; readonly to: number } {
  const [from = 0, length = 0] = node.src.split(':').map(Number)
  return { from, to: from + length }
}

/** The part of a part that has one of the names. @throws ToolchainError without it */
export function childOf(node: SyntaxNode, ...names: readonly string[]): SyntaxNode {
  const child = names.map((name) => node[name]).find(isSyntaxNode)
  if (!child) throw new ToolchainError(`${node.nodeType} at ${node.src} has no ${names.join(' or ')}`)
  return child
}

/** Whether a value of the compiler's answer is a part of the source. */
export function isSyntaxNode(value: unknown): value is SyntaxNode {
  return typeof value === 'object' && value !== null && 'nodeType' in value && typeof value.nodeType === 'string'
}

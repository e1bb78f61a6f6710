import { parseTokenBoost } from './compile.ts'
import { ToolchainError } from './toolchainError.ts'
import { childOf, type SyntaxNode, toRange, walkSyntax } from './walkSyntax.ts'

/**
 * The source with an `else` of one empty statement at each `if` that has none, and every arm on a line of its own. Coverage
 * counts lines: with these, whoever runs all of them has taken every branch both ways.
 * @throws ToolchainError for a branch that is written as an expression (`a ? b : c`), which would not be seen
 */
export function addElseArms(source: string): { readonly source: string; readonly arms: number } {
  const insertions: { at: number; text: string }[] = []
  walkSyntax(parseTokenBoost(source), (node) => {
    if (node.nodeType === 'Conditional')
      throw new ToolchainError(`${toRange(node).from}: write an if, coverage does not see a ? b : c`)
    if (node.nodeType !== 'IfStatement') return
    const body = childOf(node, 'trueBody')
    insertions.push({ at: toRange(body).from, text: '\n' })
    if (!node['falseBody']) insertions.push({ at: toEnd(source, body), text: '\nelse {\n  assert(true);\n}' })
  })
  const withArms = insertions
    .toSorted((a, b) => b.at - a.at)
    .reduce((text, { at, text: inserted }) => text.slice(0, at) + inserted + text.slice(at), source)
  return { source: withArms, arms: insertions.length / 2 }
}

/** A statement's range ends before its semicolon, a block's with its brace. */
function toEnd(source: string, body: SyntaxNode): number {
  const { to } = toRange(body)
  return source[to] === ';' ? to + 1 : to
}

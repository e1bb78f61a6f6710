import { parseTokenBoost } from '../../contracts/compile.ts'
import { childOf, type SyntaxNode, toRange, walkSyntax } from '../../contracts/walkSyntax.ts'

/** The contract with one small mistake, as a person could make it. */
export type Mutant = {
  readonly operator: string
  readonly line: number
  readonly before: string
  readonly after: string
  readonly source: string
}

type Edit = { readonly operator: string; readonly from: number; readonly to: number; readonly text: string }

const others: Readonly<Record<string, readonly string[]>> = {
  '<': ['<=', '>='],
  '<=': ['<', '>'],
  '>': ['>=', '<='],
  '>=': ['>', '<'],
  '==': ['!='],
  '!=': ['=='],
  '+': ['-'],
  '-': ['+'],
  '*': ['/'],
  '/': ['*'],
  '**': ['*'],
  '&&': ['||'],
  '||': ['&&'],
}
const comparisons = ['<', '<=', '>', '>=', '==', '!=']
const assignments: Readonly<Record<string, readonly string[]>> = { '+=': ['-=', '='], '-=': ['+=', '='] }
const calls: Readonly<Record<string, string>> = { max: 'min', ceilDiv: 'min', saturatingSub: 'max' }

/** Every mutant of the source: one edit each, in the order of the text. */
export function listMutants(source: string): Mutant[] {
  const edits: Edit[] = []
  walkSyntax(parseTokenBoost(source), (node, parent) => edits.push(...listEdits(source, node, parent)))
  return edits.map(({ operator, from, to, text }) => ({
    operator,
    line: source.slice(0, from).split('\n').length,
    before: source.slice(from, to).replaceAll(/\s+/g, ' '),
    after: text,
    source: source.slice(0, from) + text + source.slice(to),
  }))
}

function listEdits(source: string, node: SyntaxNode, parent: SyntaxNode | undefined): Edit[] {
  const { from, to } = toRange(node)
  const whole = (operator: string, text: string, end = to): Edit => ({ operator, from, to: end, text })
  const isStatement = parent?.nodeType === 'Block' || parent?.nodeType === 'IfStatement'
  switch (node.nodeType) {
    case 'BinaryOperation':
      return swap(source, node, others, comparisons.includes(String(node['operator'])) ? 'comparison' : 'arithmetic and logic')
    case 'Assignment':
      return swap(source, node, assignments, 'assignment')
    case 'IfStatement':
      return ['true', 'false'].map((text) => ({ operator: 'condition', ...toRange(childOf(node, 'condition')), text }))
    case 'Literal':
      return listLiterals(source, node)
    case 'ModifierInvocation':
      // A constructor's call of its base is written the same way.
      return source.slice(from, to).includes('(') ? [] : [whole('modifier left out', '')]
    case 'MemberAccess': {
      const other = calls[String(node['memberName'])]
      return other && source.slice(from, to).startsWith('Math.') ? [whole('function', `Math.${other}`)] : []
    }
    case 'UnaryOperation':
      return node['operator'] === '!' ? [whole('condition', source.slice(from + 1, to))] : []
    case 'ExpressionStatement':
    case 'EmitStatement':
    case 'RevertStatement':
      return isStatement ? [whole('statement left out', '{}', source[to] === ';' ? to + 1 : to)] : []
    case 'Break':
    case 'Continue':
      return [whole('statement left out', '{}', source[to] === ';' ? to + 1 : to)]
    default:
      return []
  }
}

function swap(source: string, node: SyntaxNode, table: Readonly<Record<string, readonly string[]>>, operator: string): Edit[] {
  const sign = String(node['operator'])
  const left = toRange(childOf(node, 'leftExpression', 'leftHandSide'))
  const from = source.indexOf(sign, left.to)
  return (table[sign] ?? []).map((text) => ({ operator, from, to: from + sign.length, text }))
}

function listLiterals(source: string, node: SyntaxNode): Edit[] {
  const { from, to } = toRange(node)
  const text = source.slice(from, to)
  if (text === 'true' || text === 'false') return [{ operator: 'literal', from, to, text: text === 'true' ? 'false' : 'true' }]
  const [number = ''] = /^[\d_]+/.exec(text) ?? []
  if (number === '') return []
  const next = String(BigInt(number.replaceAll('_', '')) + 1n)
  return [{ operator: 'literal', from, to: from + number.length, text: next }]
}

import { GraphQLError } from 'graphql'

/** What a caller did wrong or what this server refuses, in the words The Graph's clients know. Its message may be shown. */
export class GraphRefusal extends GraphQLError {}

/** What the table of entities does not allow, so that no query can ask for it: a bug of ours. */
export class SchemaFault extends Error {}

/** `first` or `skip` out of range. */
export function rangeError(argument: 'first' | 'skip', max: number, found: number): GraphRefusal {
  return new GraphRefusal(`The \`${argument}\` argument must be between 0 and ${max}, but is ${found}`)
}

/** A value of another kind than its field has. */
export function decodeError(type: string, reason: string): GraphRefusal {
  return new GraphRefusal(`Failed to decode \`${type}\` value: \`${reason}\``)
}

/** An argument whose value cannot be read at all. */
export function argumentError(argument: string, found: unknown): GraphRefusal {
  return new GraphRefusal(`Invalid value provided for argument \`${argument}\`: ${debugText(found)}`)
}

const shownMax = 200

/** A value as The Graph prints it in its errors: `Object({"a": Int(1)})`. */
export function debugText(value: unknown): string {
  const text = describe(value, 0)
  return text.length > shownMax ? `${text.slice(0, shownMax)}…` : text
}

function describe(value: unknown, depth: number): string {
  if (value === null || value === undefined) return 'Null'
  if (depth > 4) return '…'
  if (typeof value === 'string') return `String(${JSON.stringify(value.slice(0, shownMax))})`
  if (typeof value === 'number') return `${Number.isInteger(value) ? 'Int' : 'Float'}(${value})`
  if (typeof value === 'boolean') return `Boolean(${value})`
  if (Array.isArray(value))
    return `List([${value
      .slice(0, 10)
      .map((each) => describe(each, depth + 1))
      .join(', ')}])`
  const entries = Object.entries(value).slice(0, 10)
  return `Object({${entries.map(([key, each]) => `${JSON.stringify(key)}: ${describe(each, depth + 1)}`).join(', ')}})`
}

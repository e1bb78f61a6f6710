import type { createRandom } from '@chainboard/devnet'
import type { Known } from './generateRequest.ts'

/** What we understand of a JSON schema. */
export type Schema = {
  readonly type?: string | readonly string[]
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly pattern?: string
  readonly minimum?: number
  readonly maximum?: number
  readonly minLength?: number
  readonly maxLength?: number
  readonly minItems?: number
  readonly maxItems?: number
  readonly items?: Schema
  readonly anyOf?: readonly Schema[]
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
}

const oddTexts = [
  '',
  ' ',
  '.',
  '..',
  '../../etc/passwd',
  '%00',
  "' or 1=1 --",
  '<script>',
  '__proto__',
  'constructor',
  'null',
  'NaN',
  '-1',
  '1e309',
  '0x',
  `0x${'f'.repeat(40)}`,
  `0X${'a'.repeat(40)}`,
  'ü麦🌾',
  '\u202e\u0000\ufeff',
  '\ud800',
  'x'.repeat(300),
]
const oddNumbers = [0, -0, 1, -1, 0.5, 2 ** 31, 2 ** 53, 1e308, -1e308]
/** What a form of the operators takes: its schema says less. */
const likelyValues: Readonly<Record<string, readonly unknown[]>> = {
  email: ['dev@example.org', 'dev\u0000@example.org'],
  tier: ['basic', 'custom', 'forever'],
  status: ['active', 'paused'],
  requestsPerDay: [1, 500],
  expiresAt: ['2099-01-31', '2099-02-30', null],
  note: ['paid\nin USDC', 'paid\u0000', ''],
  txHash: [`0x${'ab'.repeat(32)}`, ''],
}
const depthMax = 4

/** Makes values that fit a schema, mostly. */
export function createValues({ addresses, words }: Known, random: ReturnType<typeof createRandom>) {
  const chance = (share: number) => random.next() < share
  const upTo = (count: number) => Math.floor(random.next() * count)
  const pick = <T>(list: readonly T[]): T => list[upTo(list.length)] as T

  const address = () => {
    const one = chance(0.8) ? pick(addresses) : `0x${Array.from({ length: 40 }, () => upTo(16).toString(16)).join('')}`
    return chance(0.2) ? `0x${one.slice(2).toUpperCase()}` : one
  }
  const text = (): string => (chance(0.5) ? pick(oddTexts) : chance(0.5) ? pick(words) : address())
  const isAddress = (schema: Schema, name: string) => /0x\[/.test(schema.pattern ?? '') || /address|contract|wallet/i.test(name)

  const makeText = (schema: Schema, name: string): string => {
    if (chance(0.1)) return text()
    if (/,0x/.test(schema.pattern ?? '')) return Array.from({ length: 1 + upTo(4) }, address).join(',')
    if (isAddress(schema, name)) return address()
    if (/pin/i.test(name)) return pick(['0000', '12', '4711', 'abcd'])
    return chance(0.7) ? pick(words) : text()
  }
  const makeNumber = ({ minimum = -5, maximum = 300 }: Schema): number =>
    chance(0.15) ? pick(oddNumbers) : minimum + upTo(Math.min(maximum - minimum, 1_000) + 1)

  const anything = (depth: number): unknown => {
    const kind = depth > depthMax ? upTo(4) : upTo(6)
    if (kind === 0) return text()
    if (kind === 1) return pick(oddNumbers)
    if (kind === 2) return chance(0.5)
    if (kind === 3) return null
    if (kind === 4) return Array.from({ length: upTo(4) }, () => anything(depth + 1))
    return Object.fromEntries(Array.from({ length: upTo(4) }, () => [text(), anything(depth + 1)]))
  }
  const make = (schema: Schema, name = '', depth = 0): unknown => {
    if (chance(0.04) || depth > depthMax) return anything(depth)
    if (schema.const !== undefined) return schema.const
    const likely = likelyValues[name]
    if (likely && chance(0.8)) return pick(likely)
    if (schema.enum) return pick(schema.enum)
    if (schema.anyOf) return make(pick(schema.anyOf), name, depth)
    const type = Array.isArray(schema.type) ? pick(schema.type) : schema.type
    if (type === 'string') return makeText(schema, name)
    if (type === 'integer' || type === 'number') return makeNumber(schema)
    if (type === 'boolean') return chance(0.5)
    if (type === 'null') return null
    if (type === 'array') {
      const count = chance(0.03) ? (schema.maxItems ?? 20) + 1 : (schema.minItems ?? 0) + upTo(4)
      return Array.from({ length: count }, () => make(schema.items ?? {}, name, depth + 1))
    }
    if (type === 'object') return makeObject(schema, depth)
    return name && chance(0.6) ? makeText({}, name) : anything(depth)
  }
  const makeObject = ({ properties = {}, required = [] }: Schema, depth: number): object => {
    const names = Object.keys(properties).filter((each) => (required.includes(each) ? !chance(0.05) : chance(0.6)))
    const entries = names.map((each) => [each, make(properties[each] ?? {}, each, depth + 1)])
    if (chance(0.05)) entries.push([text(), anything(depth)])
    return Object.fromEntries(entries)
  }
  /** Breaks an address somewhere. */
  const spoil = (path: string): string => {
    const place = 1 + upTo(path.length)
    const broken = pick(['%', '%ZZ', '%c3', '//', '/..', '?', '#', '%2f', '%00', ';', '[', '&&==', 'x'.repeat(2_000)])
    return path.slice(0, place) + broken + path.slice(place)
  }
  const toSegment = (value: unknown): string =>
    encodeURIComponent((typeof value === 'string' ? value : (JSON.stringify(value) ?? '')).toWellFormed())
  return { make, text, spoil, toSegment }
}

import { type Hex, keccak256, toRlp } from 'viem'
import { invalid } from './parseAnswer.ts'

type Fields = Readonly<Record<string, unknown>>

/** The fields of a header in the order of its RLP, with their bytes; `undefined` for a quantity, which is written without zeros before it. */
const always: readonly (readonly [string, number | 'any' | undefined])[] = [
  ['parentHash', 32],
  ['sha3Uncles', 32],
  ['miner', 20],
  ['stateRoot', 32],
  ['transactionsRoot', 32],
  ['receiptsRoot', 32],
  ['logsBloom', 256],
  ['difficulty', undefined],
  ['number', undefined],
  ['gasLimit', undefined],
  ['gasUsed', undefined],
  ['timestamp', undefined],
  ['extraData', 'any'],
  ['mixHash', 32],
  ['nonce', 8],
]
/** Those that came later, each where the header has it. */
const sometimes: typeof always = [
  ['baseFeePerGas', undefined],
  ['withdrawalsRoot', 32],
  ['blobGasUsed', undefined],
  ['excessBlobGas', undefined],
  ['parentBeaconBlockRoot', 32],
  ['requestsHash', 32],
]

/** The names of all fields that may be in a header's hash. */
export const hashedFields: readonly string[] = [...always, ...sometimes].map(([name]) => name)

const hex = /^0x[0-9a-f]*$/i

/** The hash of a header by its fields, as Ethereum makes it; undefined where a field is missing or has another form. */
export function hashHeader(fields: Fields): Hex | undefined {
  const given = sometimes.filter(([name]) => fields[name] !== undefined && fields[name] !== null)
  const items: Hex[] = []
  for (const [name, bytes] of [...always, ...given]) {
    const value = fields[name]
    if (typeof value !== 'string' || !hex.test(value)) return undefined
    if (typeof bytes === 'number' ? value.length !== 2 + 2 * bytes : bytes === 'any' && value.length % 2 === 1) return undefined
    items.push(bytes === undefined ? toQuantity(value) : (value as Hex))
  }
  return keccak256(toRlp(items))
}

function toQuantity(value: string): Hex {
  const digits = value.slice(2).replace(/^0+/, '')
  return `0x${digits.length % 2 === 1 ? '0' : ''}${digits}`
}

/** So many different headers in a row have the hash of their fields before one that has not is refused. */
const learnedOf = 8
/** From so many different blocks on, over so long and with none that fits between, the chain makes its hashes in another way now. */
const forgottenAfter = { blocks: 64, ms: 600_000 }
/** Forms that are kept: nodes differ in what they add to a header, and forks add to it. */
const formsMax = 32

/** What is known of headers with the same fields. `lowest`: of the blocks that fit. */
type Form = { readonly fitting: Set<number>; lowest: number; readonly odd: Set<number>; oddSinceMs: number }

type Options = {
  readonly nowMs: () => number
  /** Told once when a chain has begun to make its hashes in another way. */
  readonly onForget?: ((text: string) => void) | undefined
  readonly hashOf?: (fields: Fields) => string | undefined
}

export type HeaderProof = {
  /** @throws Failure `rpc-invalid` for a header that is not of its hash, on a chain whose headers are */
  check(answer: unknown): void
}

/**
 * Checks whether a header's hash is the hash of its fields. The first headers show whether a chain hashes them as Ethereum does; where
 * it does not, nothing is refused. What was learned holds for headers with the same fields, from the lowest block that fitted on. A fork
 * that adds a field is learned again, and so are blocks of an older form.
 */
export function createHeaderProof({ nowMs, onForget = () => undefined, hashOf = hashHeader }: Options): HeaderProof {
  const forms = new Map<string, Form>()
  const formOf = (fields: Fields): Form => {
    const names = Object.keys(fields).filter((name) => fields[name] !== null)
    const key = names.sort().join()
    const form = forms.get(key) ?? { fitting: new Set(), lowest: Number.POSITIVE_INFINITY, odd: new Set(), oddSinceMs: 0 }
    if (forms.size < formsMax) forms.set(key, form)
    return form
  }
  return {
    check(answer) {
      if (typeof answer !== 'object' || answer === null) return
      const fields = answer as Fields
      const hash = hashOf(fields)
      const number = Number(fields['number'])
      if (hash === undefined || typeof fields['hash'] !== 'string') return
      const form = formOf(fields)
      if (hash === fields['hash'].toLowerCase()) {
        if (form.fitting.size < learnedOf) form.fitting.add(number)
        form.lowest = Math.min(form.lowest, number)
        form.odd.clear()
        return
      }
      const isLearned = form.fitting.size >= learnedOf
      if (isLearned && number < form.lowest) return
      if (isLearned && !hasChanged(form, number, nowMs()))
        throw invalid(`The hash of block ${number} is not that of its header: a field of it is wrong`, { block: number })
      if (isLearned)
        onForget(`From block ${number} on, hashes are not those of headers any more: headers are not checked by them`)
      form.fitting.clear()
      form.lowest = Number.POSITIVE_INFINITY
    },
  }
}

/** Counts a header that does not fit. @returns whether so many did not that the chain makes its hashes in another way */
function hasChanged(form: Form, number: number, atMs: number): boolean {
  const { odd } = form
  if (odd.size === 0) form.oddSinceMs = atMs
  if (odd.size < forgottenAfter.blocks) odd.add(number)
  return odd.size >= forgottenAfter.blocks && atMs - form.oddSinceMs >= forgottenAfter.ms
}

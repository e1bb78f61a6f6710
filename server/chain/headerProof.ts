import { type Fields, isFields } from '@chainboard/core'
import { type Hex, keccak256, toRlp } from 'viem'
import { invalid } from './parseAnswer.ts'

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

const isGiven = (value: unknown) => value !== undefined && value !== null
const hex = /^0x[0-9a-f]*$/i
const isHexText = (value: unknown): value is Hex => typeof value === 'string' && hex.test(value)

/** The hash of a header by its fields, as Ethereum makes it; undefined where a field is missing or has another form. */
export function hashHeader(fields: Fields): Hex | undefined {
  const given = sometimes.filter(([name]) => isGiven(fields[name]))
  const items: Hex[] = []
  for (const [name, bytes] of [...always, ...given]) {
    const value = fields[name]
    if (!isHexText(value)) return undefined
    if (typeof bytes === 'number' ? value.length !== 2 + 2 * bytes : bytes === 'any' && value.length % 2 === 1) return undefined
    items.push(bytes === undefined ? toQuantity(value) : value)
  }
  return keccak256(toRlp(items))
}

function toQuantity(value: string): Hex {
  const digits = value.slice(2).replace(/^0+/, '')
  return `0x${digits.length % 2 === 1 ? '0' : ''}${digits}`
}

/** So many different headers in a row have the hash of their fields before one that has not is refused. */
const learnedOf = 8
/** What was learned holds from the lowest block that fitted to so many above the highest: what comes later may be another chain's way. */
const reachBlocks = 10_000
/** So many answers refused over so long, with none that fits between: the chain makes its hashes in another way now. */
const forgottenAfter = { refusals: 16, ms: 600_000 }

/** Blocks that are known to belong together. */
type Span = { readonly lowest: number; readonly highest: number }
/**
 * What is known of headers with the same hashed fields. `fitting`: blocks in a row that did; `fitted`: all that did; `refused`: those
 * since. `changedAt`: from this block on they are not checked until eight in a row fit again; infinity for none.
 */
type Form = {
  readonly key: string
  /** Whose headers these are, by its place among the nodes. */
  readonly place: number
  readonly fitting: Set<number>
  fitted: Span
  refused: (Span & { readonly count: number; readonly sinceMs: number }) | undefined
  changedAt: number
}

type Options = {
  readonly nodes: number
  readonly nowMs: () => number
  /** Told once when a chain has begun to make its hashes in another way. */
  readonly onForget?: ((text: string) => void) | undefined
  readonly hashOf?: (fields: Fields) => string | undefined
}

export type HeaderProof = {
  /**
   * @param place of the node that gave the header
   * @throws Failure `rpc-invalid` for a header that is not of its hash, on a chain whose headers are
   */
  check(answer: unknown, place: number): void
}

/**
 * Checks whether a header's hash is the hash of its fields. The first headers show whether a chain hashes them as Ethereum does; where
 * it does not, nothing is refused. What was learned holds near the blocks that fitted, whatever fields a header has: a node that adds
 * one of its own, or leaves one out, proves nothing by that. A fork that adds a field is believed when ten minutes of headers have it.
 * What a node's headers show holds for itself, and for all when those of most nodes do: one node alone could make up headers that fit on a
 * chain whose headers do not.
 */
export function createHeaderProof({ nodes, nowMs, onForget = () => undefined, hashOf = hashHeader }: Options): HeaderProof {
  const forms = new Map<string, Form>()
  const formOf = (key: string, place: number): Form => {
    const name = `${place} ${key}`
    const known = forms.get(name)
    if (known) return known
    const form: Form = { key, place, fitting: new Set(), fitted: nowhere, refused: undefined, changedAt: nowhere.lowest }
    forms.set(name, form)
    return form
  }
  const isKnown = (number: number, place: number) => {
    const learned = [...forms.values()].filter((each) => isLearned(each) && isNear(number, each.fitted))
    const places = new Set(learned.map((each) => each.place))
    return places.has(place) || places.size * 2 > nodes
  }
  return {
    check(fields, place) {
      if (!isFields(fields)) return
      const hash = hashOf(fields)
      const number = Number(fields['number'])
      const form = formOf(hash === undefined ? 'no hash' : listGiven(fields), place)
      if (hash !== undefined && hash === String(fields['hash']).toLowerCase()) {
        for (const each of forms.values()) if (each.refused && isNear(number, each.refused)) each.refused = undefined
        return fit(form, number)
      }
      if (!isKnown(number, place) || form.changedAt <= number) return differ(form, number)
      form.refused = refuse(form, number, nowMs())
      const { count, sinceMs, lowest } = form.refused
      if (count < forgottenAfter.refusals || nowMs() - sinceMs < forgottenAfter.ms)
        throw invalid(`The hash of block ${number} does not match its header: a field is wrong`, { block: number })
      if (![...forms.values()].some((each) => each.key === form.key && hasEnded(each)))
        onForget(`Headers from block ${lowest} on do not hash to their block hash: the server does not check these`)
      form.changedAt = Math.min(form.changedAt, lowest)
      form.refused = undefined
      form.fitting.clear()
    },
  }
}

const nowhere: Span = { lowest: Number.POSITIVE_INFINITY, highest: Number.NEGATIVE_INFINITY }
const widen = (span: Span, number: number): Span => ({
  lowest: Math.min(span.lowest, number),
  highest: Math.max(span.highest, number),
})
const isNear = (number: number, { lowest, highest }: Span) => number >= lowest && number <= highest + reachBlocks

/** Which of the fields that came later a header has: nothing else decides its form, so that a node cannot make one of its own. */
const listGiven = (fields: Fields) => sometimes.map(([name]) => (isGiven(fields[name]) ? name : '')).join()

const hasEnded = ({ changedAt }: Form) => changedAt < nowhere.lowest
const isLearned = (form: Form) => form.fitting.size >= learnedOf || hasEnded(form)

function fit(form: Form, number: number): void {
  form.fitted = widen(form.fitted, number)
  // A block from before says nothing of what the chain does since.
  if (hasEnded(form) && number < form.changedAt) return
  if (form.fitting.size < learnedOf) form.fitting.add(number)
  if (form.fitting.size >= learnedOf) form.changedAt = nowhere.lowest
}

/** A header that does not fit, and need not. */
function differ(form: Form, number: number): void {
  if (!isLearned(form)) form.fitted = nowhere
  if (!isLearned(form) || form.changedAt <= number) form.fitting.clear()
}

const refuse = ({ refused }: Form, number: number, atMs: number) => ({
  ...widen(refused ?? nowhere, number),
  count: (refused?.count ?? 0) + 1,
  sinceMs: refused?.sinceMs ?? atMs,
})

import { type Address, placeOf, type TickLiquidity, type TickList, tickMax, tickMin } from '@chainboard/core'
import type { ViewAnswer, ViewCall } from '../chain/callMany.ts'

/** Spacings in one word of a pool's tick bitmap. */
export const wordSize = 256

/** What is compared of a pool's ticks: what a tick holds, or which of 256 ticks hold anything. */
export type TickPlace = { readonly kind: 'tick' | 'word'; readonly at: number }

/** Words with ticks of the index or around its price; all the others of the bitmap. */
export type Lane = 'near' | 'far'

type TickedPool = { readonly tick: number | undefined; readonly tickSpacing: number }

/** All places of a pool in one lane, ascending: each word before the ticks in it. */
export function listPlaces({ tick, tickSpacing }: TickedPool, list: TickList, lane: Lane): TickPlace[] {
  const wordOf = (at: number) => wordHolding(at, tickSpacing)
  const byWord = Map.groupBy(list.order, wordOf)
  const middle = wordOf(tick ?? 0)
  const [first, last] = endWords(tickSpacing)
  const isNear = (word: number) => byWord.has(word) || Math.abs(word - middle) <= 1
  const places: TickPlace[] = []
  for (let word = first; word <= last; word += 1) {
    if (isNear(word) !== (lane === 'near')) continue
    places.push({ kind: 'word', at: word }, ...(byWord.get(word) ?? []).map((at) => ({ kind: 'tick', at }) as const))
  }
  return places
}

/** The word of the bitmap in which a tick has its bit. */
export function wordHolding(tick: number, tickSpacing: number): number {
  return Math.floor(Math.floor(tick / tickSpacing) / wordSize)
}

/** The first and the last word that a pool may use. */
export function endWords(tickSpacing: number): readonly [number, number] {
  return [wordHolding(Math.ceil(tickMin / tickSpacing) * tickSpacing, tickSpacing), wordHolding(tickMax, tickSpacing)]
}

/** Where a place is among those of its pool: they are passed in this order, however many there are by then. */
export function positionOf({ kind, at }: TickPlace, tickSpacing: number): number {
  return kind === 'tick' ? at : at * wordSize * tickSpacing - 0.5
}

/** `ticks(int24)` and `tickBitmap(int16)`. */
const selectors = { tick: '0xf30dba93', word: '0x5339c296' } as const

/** The question to a pool's contract about one of its places. */
export function toCall(to: Address, { kind, at }: TickPlace): ViewCall {
  const word = BigInt.asUintN(256, BigInt(at)).toString(16).padStart(64, '0')
  return { to, data: `${selectors[kind]}${word}` }
}

export type Verdict = 'agrees' | 'differs' | 'no answer'

/** Compares a place of the index with the contract's answer about it. Liquidity that the index has not is none. */
export function judgePlace({ kind, at }: TickPlace, list: TickList, { tickSpacing, answer }: Answered): Verdict {
  if (!answer) return 'no answer'
  if (kind === 'word') {
    if (answer.length !== 66) return 'no answer'
    return BigInt(answer) === toWord(list, at, tickSpacing) ? 'agrees' : 'differs'
  }
  const found = parseTick(answer)
  if (!found) return 'no answer'
  const { gross, net } = list.byTick.get(at) ?? { gross: 0n, net: 0n }
  return found.gross === gross && found.net === net ? 'agrees' : 'differs'
}

/** What a contract says that a tick holds; undefined where it says nothing. */
export function parseTick(answer: ViewAnswer): TickLiquidity | undefined {
  // Forks add words behind the first two, liquidityGross and liquidityNet.
  if (!answer || answer.length < 130) return undefined
  return { gross: BigInt(answer.slice(0, 66)), net: BigInt.asIntN(256, BigInt(`0x${answer.slice(66, 130)}`)) }
}

type Answered = { readonly tickSpacing: number; readonly answer: ViewAnswer }

/** Whether the index has liquidity at a place: where there is none, any contract that knows no ticks agrees. */
export function holdsLiquidity({ kind, at }: TickPlace, list: TickList, tickSpacing: number): boolean {
  return kind === 'word' ? toWord(list, at, tickSpacing) !== 0n : list.byTick.has(at)
}

/** A bit for each tick of the word that bounds a position. */
function toWord({ order }: TickList, word: number, tickSpacing: number): bigint {
  const from = word * wordSize * tickSpacing
  const ticks = order.slice(placeOf(order, from), placeOf(order, from + wordSize * tickSpacing))
  return ticks.reduce((bits, tick) => bits | (1n << BigInt((tick - from) / tickSpacing)), 0n)
}

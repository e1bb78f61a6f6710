import type { Hex } from '@chainboard/core'
import type { ViewCall } from './viewCall.ts'

/** What one of the calls returned. */
export type Aggregated = { readonly success: boolean; readonly returnData: Hex }

/** `aggregate3((address target, bool allowFailure, bytes callData)[])`. */
const selector = '82ad56cb'
const wordBytes = 32
const wordDigits = 64

/**
 * The call of Multicall3 that runs these calls, each of which may fail. viem's coder of any ABI takes 13 ms for 512 calls, in which no
 * request gets its turn. Pure. @param calls data in whole bytes
 */
export function encodeAggregate3(calls: readonly ViewCall[]): Hex {
  const bodies = calls.map(({ to, data }) => {
    const digits = data.slice(2)
    const padded = digits.padEnd(Math.ceil(digits.length / wordDigits) * wordDigits, '0')
    return `${to.slice(2).toLowerCase().padStart(wordDigits, '0')}${toWord(1)}${toWord(3 * wordBytes)}${toWord(digits.length / 2)}${padded}`
  })
  let at = calls.length * wordBytes
  const places = bodies.map((body) => {
    const place = toWord(at)
    at += body.length / 2
    return place
  })
  return `0x${selector}${toWord(wordBytes)}${toWord(calls.length)}${places.join('')}${bodies.join('')}`
}

/**
 * What `aggregate3` answered, in the order of the calls. Pure.
 * @param count of the calls
 * @returns undefined for what is no answer of so many calls
 */
export function decodeAggregate3(answer: Hex, count: number): Aggregated[] | undefined {
  const words = answer.slice(2)
  const list = readNumber(words, 0)
  if (list === undefined || readNumber(words, list) !== count) return undefined
  const first = list + wordBytes
  const answers: Aggregated[] = []
  let digits = 0
  for (let i = 0; i < count; i += 1) {
    const place = readNumber(words, first + i * wordBytes)
    const one = place === undefined ? undefined : readOne(words, first + place)
    digits += one?.returnData.length ?? 0
    // Places may overlap: many may name the same long bytes.
    if (!one || digits > answer.length) return undefined
    answers.push(one)
  }
  return answers
}

function readOne(words: string, start: number): Aggregated | undefined {
  const success = readNumber(words, start)
  const place = readNumber(words, start + wordBytes)
  if ((success !== 0 && success !== 1) || place === undefined) return undefined
  const length = readNumber(words, start + place)
  if (length === undefined) return undefined
  const from = 2 * (start + place + wordBytes)
  const digits = words.slice(from, from + 2 * length)
  return digits.length === 2 * length ? { success: success === 1, returnData: `0x${digits}` } : undefined
}

function toWord(value: number): string {
  return value.toString(16).padStart(wordDigits, '0')
}

/** Undefined past the end, and for a number that no place in an answer can have. */
function readNumber(words: string, byte: number): number | undefined {
  const word = words.slice(2 * byte, 2 * byte + wordDigits)
  if (word.length < wordDigits) return undefined
  const value = Number(`0x${word}`)
  return Number.isSafeInteger(value) ? value : undefined
}

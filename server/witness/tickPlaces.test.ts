import { createTickList } from '@chainboard/core'
import { expect, it } from 'vitest'
import { judgePlace, listPlaces, positionOf, toCall } from './tickPlaces.ts'

const pool = '0x00000000000000000000000000000000000000aa'
const hex = (...words: bigint[]) =>
  `0x${words.map((word) => BigInt.asUintN(256, word).toString(16).padStart(64, '0')).join('')}` as const
// Spacing 60: 256 of them are 15,360 ticks, so -60 is the last bit of word -1, and 120 the third of word 0.
const list = createTickList([
  [-60, { gross: 7n, net: 7n }],
  [120, { gross: 7n, net: -7n }],
])
const tickSpacing = 60

it('asks ticks(int24) and tickBitmap(int16) with a sign', () => {
  expect(toCall(pool, { kind: 'tick', at: -60 }).data).toBe(`0xf30dba93${'f'.repeat(62)}c4`)
  expect(toCall(pool, { kind: 'word', at: -1 }).data).toBe(`0x5339c296${'f'.repeat(64)}`)
})

it.each([
  ['the same tick', { kind: 'tick', at: 120 }, hex(7n, -7n, 0n, 0n, 0n, 0n, 0n, 1n), 'agrees'],
  ['a tick of a fork with more words', { kind: 'tick', at: 120 }, hex(7n, -7n, 3n, 3n, 3n, 3n, 3n, 3n, 3n, 1n), 'agrees'],
  ['a tick with more liquidity', { kind: 'tick', at: 120 }, hex(9n, -7n, 0n, 0n, 0n, 0n, 0n, 1n), 'differs'],
  ['a tick with other net liquidity', { kind: 'tick', at: 120 }, hex(7n, 7n, 0n, 0n, 0n, 0n, 0n, 1n), 'differs'],
  ['a tick that the index does not know', { kind: 'tick', at: 180 }, hex(1n, 1n, 0n, 0n, 0n, 0n, 0n, 1n), 'differs'],
  ['the same word', { kind: 'word', at: 0 }, hex(4n), 'agrees'],
  ['the same word below zero', { kind: 'word', at: -1 }, hex(1n << 255n), 'agrees'],
  ['a word with a tick more', { kind: 'word', at: 0 }, hex(12n), 'differs'],
  ['an empty word that has a tick', { kind: 'word', at: 5 }, hex(1n), 'differs'],
  ['a contract without such a function', { kind: 'word', at: 0 }, '0x', 'no answer'],
  ['a contract that reverts', { kind: 'tick', at: 120 }, undefined, 'no answer'],
] as const)('%s', (_name, place, answer, verdict) => {
  expect(judgePlace(place, list, { tickSpacing, answer })).toBe(verdict)
})

it('a word comes before its ticks, and every word is in one lane', () => {
  const at = { tick: 0, tickSpacing }
  expect(listPlaces(at, list, 'near')).toEqual([
    { kind: 'word', at: -1 },
    { kind: 'tick', at: -60 },
    { kind: 'word', at: 0 },
    { kind: 'tick', at: 120 },
    { kind: 'word', at: 1 },
  ])
  // Of -887,220 to 887,220 there are 29,575 ticks, in words -58 to 57.
  const far = listPlaces(at, list, 'far').map(({ at }) => at)
  expect([far.length, far[0], far.at(-1), far.includes(0)]).toEqual([113, -58, 57, false])
  const positions = listPlaces(at, list, 'near').map((place) => positionOf(place, tickSpacing))
  expect(positions).toEqual(positions.toSorted((a, b) => a - b))
})

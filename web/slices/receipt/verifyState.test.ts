import type { Receipt } from '@chainboard/contract'
import { expect, test } from 'vitest'
import type { VerifyStep } from '../../verify/verifyPrice.ts'
import { toStepLines } from './verifyState.ts'

const pool = (address: string) => ({ pool: address, base: '0xb', quote: '0xc', baseSymbol: 'BSLT', quoteSymbol: 'USDC' })
const receipt = {
  ...{ symbol: 'BSLT', block: { number: 7, hash: '0xaa', timestamp: 1 } },
  steps: [{ token: '0xb', symbol: 'BSLT', priceInUsd: '1', pools: [pool('0xA1'), pool('0xA2')] }],
} as unknown as Receipt
const [a1, a2] = ['0xa1', '0xa2'] as const
const seen: VerifyStep[] = [
  { kind: 'rules' },
  { kind: 'block', number: 7, hash: `0x${'a'.repeat(64)}` },
  { kind: 'pool', pool: a1, medianX96: 5n },
]
const rest: VerifyStep[] = [
  { kind: 'pool', pool: a2, medianX96: 6n },
  { kind: 'price', computed: '1.5' },
  { kind: 'choice', pools: 4 },
]
const states = (...asked: Parameters<typeof toStepLines>) => toStepLines(...asked).map(({ state }) => state)

test('steps tick one by one, each with what was read', () => {
  expect(states(receipt, seen, undefined)).toEqual(['done', 'done', 'done', 'running', 'waiting', 'waiting'])
  const lines = toStepLines(receipt, [...seen, ...rest], { kind: 'equal', computed: '1.5' })
  expect(lines.map(({ state, note }) => [state, note])).toEqual([
    ['done', undefined],
    ['done', '0xaaaa…aaaa'],
    ['done', 'median 5'],
    ['done', 'median 6'],
    ['done', '$1.5'],
    ['done', '4 pools weighed'],
  ])
})

test('a site that lies fails at the step it lied about, by name, with both values', () => {
  const differences = [{ what: 'medianX96', served: '9', found: '6' }]
  const all = [...seen, ...rest.slice(0, 1)]
  const lines = toStepLines(receipt, all, { kind: 'not-equal', computed: undefined, pool: 2, differences })
  expect(lines.map(({ state }) => state)).toEqual(['done', 'done', 'done', 'failed', 'skipped', 'skipped'])
  expect(lines[3]?.note).toBe('medianX96: the site says 9, the node 6')
  const by = (what: string, steps: readonly VerifyStep[]) =>
    states(receipt, steps, { kind: 'not-equal', computed: undefined, pool: 0, differences: [{ what, served: '', found: '' }] })
  expect(by('hash of block 7', all)[1]).toBe('failed')
  expect(by('factory', [])[0]).toBe('failed')
  expect(by('price', all)[4]).toBe('failed')
  expect(by('confidence', [...seen, ...rest])[5]).toBe('failed')
})

test('what cannot be told is said at the step it stopped at', () => {
  const lines = toStepLines(receipt, seen.slice(0, 1), { kind: 'cannot-tell', why: 'The node gave no answer' })
  expect(lines.map(({ state }) => state)).toEqual(['done', 'failed', 'skipped', 'skipped', 'skipped', 'skipped'])
  expect(lines[1]?.note).toBe('The node gave no answer')
})

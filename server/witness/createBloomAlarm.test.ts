import { setImmediate } from 'node:timers/promises'
import { type Address, Failure, type Hex } from '@chainboard/core'
import { expect, it } from 'vitest'
import type { Header } from '../chain/chain.ts'
import { bloomOf } from '../testing/simulation/modelLogs.ts'
import { createBloomAlarm } from './createBloomAlarm.ts'
import { createReceiptTraits } from './proof/receiptTraits.ts'

const factory = '0x00000000000000000000000000000000000000fa' as Address
const pool = '0x00000000000000000000000000000000000000b0' as Address
const topic = `0x${'70'.repeat(32)}` as const
const known = { factory, pools: [pool], poolCount: 1 }
const header: Header = {
  number: 5,
  hash: '0x05',
  parentHash: '0x04',
  timestampSeconds: 1_700_000_000,
  logsBloom: bloomOf([{ address: pool, topics: [topic] }]) as Hex,
}

const word = (digits: string) => `0x${digits.padStart(64, '0')}`
const block = { number: '0x5', hash: word('5'), parentHash: word('4'), timestamp: '0x1', logsBloom: header.logsBloom }

/** So many ranges without a log, of a block whose bloom has one. @returns why blooms are not looked at any more */
async function check(times: number, receipts: () => Promise<unknown>, transactions: string[] = []) {
  const forward = async (method: string) => (method === 'eth_getBlockByNumber' ? { ...block, transactions } : receipts())
  const alarm = createBloomAlarm(forward, [topic], createReceiptTraits())
  for (let i = 0; i < times; i += 1) await alarm.check({ headers: [header], logs: [] }, known)
  return alarm.quirk()
}

it('blooms whose alarms receipts show to be unfounded 30 times in a row are not looked at any more', async () => {
  expect(await check(29, async () => [])).toBe(undefined)
  expect(await check(30, async () => [])).toBe('The blooms of this chain do not match the logs of their blocks')
})

it('a node that has forgotten the receipts of the block says nothing about the blooms', async () => {
  expect(await check(40, async () => [], [word('70')])).toBe(undefined)
})

it('a block whose receipts the node has forgotten is undecided, where receipts are known to make the root of their header', async () => {
  const undecided: number[] = []
  const forward = async (method: string) => (method === 'eth_getBlockByNumber' ? { ...block, transactions: [word('70')] } : [])
  const receipts = createReceiptTraits()
  const alarm = createBloomAlarm(forward, [topic], receipts, (number) => undecided.push(number))
  await alarm.check({ headers: [header], logs: [] }, known)
  expect(undecided).toEqual([])
  const whole = { isComplete: true, root: true, bloom: true, header: true, hasReceipts: true, hasLogs: true }
  receipts.see(4, whole)
  await alarm.check({ headers: [header], logs: [] }, known)
  expect(undecided).toEqual([5])
})

it('a node that gives no receipts at the moment says nothing about the blooms', async () => {
  const away = new Failure('rpc-unavailable', 'The node is not responding', { retryable: true })
  expect(await check(40, () => Promise.reject(away))).toBe(undefined)
})

it('a failure of ours is no answer of a node', async () => {
  const bug = new TypeError('Cannot read properties of undefined')
  await expect(check(1, () => Promise.reject(bug))).rejects.toBe(bug)
})

it('others have their turns while the bits of many pools are worked out for the first time', async () => {
  const pools = Array.from({ length: 499 }, (_, i): Address => `0x${(i + 1).toString(16).padStart(40, '0')}`)
  const alarm = createBloomAlarm(async () => [], [topic], createReceiptTraits())
  const countTurns = async () => {
    let [turns, isDone] = [0, false]
    const others = (async () => {
      for (; !isDone; turns += 1) await setImmediate()
    })()
    await alarm.check({ headers: [header], logs: [] }, { factory, pools, poolCount: 1 })
    isDone = true
    await others
    return turns
  }
  expect(await countTurns()).toBeGreaterThanOrEqual(9)
  expect(await countTurns()).toBeLessThan(9)
})

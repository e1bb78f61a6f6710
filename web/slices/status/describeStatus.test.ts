import type { WireStatus } from '@chainboard/contract'
import { expect, test } from 'vitest'
import { describeStatus } from './describeStatus.ts'

const noon = new Date(2026, 10, 20, 12, 0, 0).getTime() / 1000
const live: WireStatus = {
  block: 1_234_567,
  blockTime: noon - 4,
  secondsSinceContact: 1,
  lagBlocks: 0,
  state: 'live',
  reason: null,
  completeSince: null,
  swapsKeptSince: null,
  hoursKeptSince: null,
  progress: null,
}
const facts = { receivedAtSeconds: noon, failing: false, nowSeconds: noon }
const report = (status: Partial<WireStatus>, clockSkewSeconds = 0) => ({ status: { ...live, ...status }, clockSkewSeconds })

test('a live chain shows its height and the age of the last block', () => {
  expect(describeStatus({ ...facts, report: report({}) })).toEqual({ tone: 'live', text: 'Block 1,234,567 · 4s ago' })
})

test('a clock that is wrong on this device does not age the data', () => {
  expect(describeStatus({ ...facts, report: report({ blockTime: noon - 604 }, 600) })?.text).toBe('Block 1,234,567 · 4s ago')
})

test('a chain that has stopped is shown as such, with the time of its last block', () => {
  expect(describeStatus({ ...facts, report: report({ state: 'stalled', blockTime: noon - 300 }) })).toEqual({
    tone: 'warn',
    text: 'No new block since 11:55:00: block 1,234,567, 5m ago.',
  })
})

test('a lost chain says since when', () => {
  expect(describeStatus({ ...facts, report: report({ state: 'disconnected', secondsSinceContact: 90 }) })).toEqual({
    tone: 'warn',
    text: 'No response from the chain since 11:58:30. Showing the last known figures.',
  })
  expect(describeStatus({ ...facts, report: report({ state: 'disconnected', secondsSinceContact: null }) })?.text).toBe(
    'The chain has not responded since the server started.',
  )
})

test('a lost server says since when, and without any answer only that', () => {
  expect(describeStatus({ ...facts, report: report({}), failing: true })?.text).toBe(
    'No response from the server since 12:00:00. Showing the last known figures.',
  )
  expect(describeStatus({ ...facts, report: undefined, failing: true })?.text).toBe('The server is not responding.')
})

test('an index that is still reading counts down', () => {
  expect(describeStatus({ ...facts, report: report({ state: 'syncing', lagBlocks: 5600 }) })).toEqual({
    tone: 'busy',
    text: 'Reading the chain: block 1,234,567, 5,600 to go',
  })
  const progress = { phase: 'history' as const, percent: 34, blocksPerSecond: 1_940, eventsPerSecond: 820, secondsLeft: 5_520 }
  expect(describeStatus({ ...facts, report: report({ state: 'syncing', progress }) })?.text).toBe(
    'Reading the chain: 34%, 1h 32m left at 1,940 blocks a second',
  )
  expect(describeStatus({ ...facts, report: report({ state: 'syncing', block: null, blockTime: null }) })?.text).toBe(
    'Reading the chain.',
  )
})

test('a database that fails is said so, in words for visitors', () => {
  const reason = 'The disk of the database is full'
  expect(describeStatus({ ...facts, report: report({ state: 'storage-failing', reason }) })).toEqual({
    tone: 'warn',
    text: 'The database is down. Showing the last known figures.',
  })
})

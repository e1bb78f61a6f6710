import { expect, it } from 'vitest'
import { createRequestGate } from './requestGate.ts'

function open() {
  const at = { nowMs: 0, silentMs: 0 }
  const gate = createRequestGate(
    () => at.silentMs,
    () => at.nowMs,
  )
  const tries = () => {
    try {
      gate.enter()
      return 'asks'
    } catch (error) {
      return (error as Error).message
    }
  }
  return { at, gate, tries }
}

it('a database that is silent for 3 s, and let the newest request down, is asked by one request every 5 s', () => {
  const { at, gate, tries } = open()
  gate.note('failed')
  at.silentMs = 2_999
  expect(tries()).toBe('asks')
  at.silentMs = 3_000
  expect(tries()).toBe('The database is not responding')
  at.nowMs = 5_000
  expect([tries(), tries()]).toEqual(['asks', 'The database is not responding'])
  at.nowMs = 9_999
  expect(tries()).toBe('The database is not responding')
  at.nowMs = 10_000
  expect([tries(), tries()]).toEqual(['asks', 'The database is not responding'])
})

it('one answer lets all through again, also while a statement of another part still waits', () => {
  const { at, gate, tries } = open()
  at.silentMs = 60_000
  expect(tries()).toBe('asks')
  gate.note('failed')
  expect(tries()).toBe('The database is not responding')
  gate.note('answered')
  expect([tries(), tries()]).toEqual(['asks', 'asks'])
})

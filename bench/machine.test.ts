import { cpus } from 'node:os'
import { expect, it } from 'vitest'
import { describeMachine } from './machine.ts'

it('says what figures depend on, a line each', () => {
  const { words } = describeMachine([0.5, 1.25, 2])
  expect(words.map((line) => line.split(':')[0])).toEqual([
    ...['CPU', 'Memory', 'System', 'Data folders', `Node ${process.version}`, 'Date', 'Load average at the start'],
  ])
  expect(words[0]).toMatch(new RegExp(`, ${cpus().length} cores seen by the system$`))
  expect(words[6]).toBe('Load average at the start: 0.50, 1.25, 2.00 (1, 5, 15 minutes)')
  expect(words[5]).toMatch(/^Date: \d{4}-\d\d-\d\d \d\d:\d\d UTC$/)
})

it('is busy from a quarter of its processors on', () => {
  const quarter = cpus().length / 4
  const busyAt = (load: number) => describeMachine([load, 9, 9]).busy
  expect([busyAt(0), busyAt(quarter), busyAt(quarter + 0.01)]).toEqual([false, false, true])
})

import { cpus, loadavg } from 'node:os'
import { expect, it, vi } from 'vitest'
import { describeMachine } from './machine.ts'

vi.mock('node:os', async (load) => ({ ...(await load<typeof import('node:os')>()), loadavg: vi.fn(() => [0, 0, 0]) }))

it('says what figures depend on, a line each', () => {
  const { words } = describeMachine()
  expect(words.map((line) => line.split(':')[0])).toEqual([
    ...['CPU', 'Memory', 'System', 'Data folders', `Node ${process.version}`, 'Date', 'Load average at the start'],
  ])
  expect(words[0]).toMatch(new RegExp(`, ${cpus().length} cores seen by the system$`))
  expect(words[5]).toMatch(/^Date: \d{4}-\d\d-\d\d \d\d:\d\d UTC$/)
})

it('is busy from a quarter of its processors on', () => {
  const quarter = cpus().length / 4
  const busyAt = (load: number) => {
    vi.mocked(loadavg).mockReturnValueOnce([load, 9, 9])
    return describeMachine().busy
  }
  expect([busyAt(0), busyAt(quarter), busyAt(quarter + 0.01)]).toEqual([false, false, true])
})

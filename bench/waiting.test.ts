import { expect, it } from 'vitest'
import { NotMeasured } from './notMeasured.ts'
import { poll, within } from './waiting.ts'

const { signal } = new AbortController()
const never = new Promise<never>(() => {})
const patient = { what: 'the node', msMax: 60_000, signal }

it('gives what comes in time, and its error', async () => {
  expect(await within(Promise.resolve(7), patient)).toBe(7)
  await expect(within(Promise.reject(new RangeError('no block 9')), patient)).rejects.toThrow(new RangeError('no block 9'))
})

it('says what it waited for, and how long', async () => {
  await expect(within(never, { ...patient, msMax: 2 })).rejects.toThrow(new NotMeasured('the node: not within 0.002 s'))
})

it('ends with the process behind it, and with its last words', async () => {
  const gone = Promise.resolve('anvil ended with 1')
  await expect(within(never, { ...patient, gone })).rejects.toThrow(new NotMeasured('the node: anvil ended with 1'))
})

it('ends when the benchmark is stopped, before and meanwhile', async () => {
  const stopped = new AbortController()
  const waiting = within(never, { ...patient, signal: stopped.signal })
  stopped.abort(new Error('Stopped by SIGINT'))
  await expect(waiting).rejects.toThrow('Stopped by SIGINT')
  await expect(within(Promise.resolve(7), { ...patient, signal: stopped.signal })).rejects.toThrow('Stopped by SIGINT')
})

it('polls until there is an answer, null and 0 included', async () => {
  const answers = [undefined, undefined, 0, 5]
  let asked = 0
  expect(await poll(async () => answers[asked++], { ...patient, everyMs: 1 })).toBe(0)
  expect(asked).toBe(3)
})

it('does not poll on after its time', async () => {
  const { promise: late, resolve } = Promise.withResolvers<undefined>()
  let asked = 0
  const polling = poll(
    () => {
      asked += 1
      return late
    },
    { ...patient, msMax: 2, everyMs: 1 },
  )
  await expect(polling).rejects.toThrow('the node: not within 0.002 s')
  resolve(undefined)
  // Another one asks five times meanwhile.
  let others = 0
  await poll(async () => (++others === 5 ? true : undefined), { ...patient, everyMs: 2 })
  expect(asked).toBe(1)
})

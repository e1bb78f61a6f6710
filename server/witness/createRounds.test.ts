import { expect, it } from 'vitest'
import { createRounds } from './createRounds.ts'

it('one round runs at a time, and the next is due so long after the start of the last', async () => {
  let nowMs = 5
  const rounds = createRounds(
    100,
    () => nowMs,
    () => expect.unreachable(),
  )
  expect(rounds.isDue()).toBe(true)
  const work = Promise.withResolvers<void>()
  rounds.begin(() => work.promise)
  nowMs = 105
  expect(rounds.isDue()).toBe(false)
  work.resolve()
  await rounds.stop()
  expect(rounds.isDue()).toBe(true)
  nowMs = 104
  expect(rounds.isDue()).toBe(false)
  rounds.hurry()
  expect(rounds.isDue()).toBe(true)
})

it('a round that fails is reported, and the next one begins when it is due', async () => {
  const errors: unknown[] = []
  const rounds = createRounds(
    0,
    () => 0,
    (error) => errors.push(error),
  )
  rounds.begin(async () => Promise.reject('first'))
  await rounds.stop()
  expect([errors, rounds.isDue()]).toEqual([['first'], true])
})

import { expect, it } from 'vitest'
import { keepSnapshot } from './keepSnapshot.ts'
import type { Snapshot } from './takeSnapshot.ts'

const snapshotAt = (number: number): Snapshot => ({
  atBlock: { number, hash: '0x00', timestampSeconds: 0 },
  markets: [],
  byToken: new Map(),
})

it('takes one more when the index changed while one was being taken, and never two at a time', async () => {
  let block = 1
  let running = 0
  let taken = 0
  let finish: () => void = () => undefined
  const keeper = await keepSnapshot(async () => {
    running += 1
    taken += 1
    expect(running).toBe(1)
    const seen = block
    if (taken > 1) await new Promise<void>((resolve) => (finish = resolve))
    running -= 1
    return snapshotAt(seen)
  }, console.error)

  block = 2
  const first = keeper.refresh({ urgent: true })
  block = 3
  void keeper.refresh({ urgent: true })
  void keeper.refresh({ urgent: true })
  finish()
  await Promise.resolve()
  while (taken < 3) await new Promise((resolve) => setImmediate(resolve))
  finish()
  await first
  expect(keeper.current().atBlock?.number).toBe(3)
  expect(taken).toBe(3)
})

it('keeps the last one when the next cannot be taken, and says so', async () => {
  const errors: unknown[] = []
  let fails = false
  const keeper = await keepSnapshot(
    async () => {
      if (fails) throw new Error('database gone')
      return snapshotAt(1)
    },
    (error) => errors.push(error),
  )
  fails = true
  await keeper.refresh({ urgent: true })
  expect(keeper.current().atBlock?.number).toBe(1)
  expect(errors).toMatchObject([{ message: 'database gone' }])
})

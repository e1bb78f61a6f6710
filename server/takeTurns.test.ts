import { expect, it } from 'vitest'
import { takeTurns } from './takeTurns.ts'

/** A clock that passes by work and rests alone; `told` is what happened when. */
function createWorld() {
  const told: string[] = []
  let ms = 0
  const turn = takeTurns({
    waitingMax: 2,
    busy: 'Too many receipts are being computed. Try again',
    nowMs: () => ms,
    pause: async (rest) => {
      told.push(`rest ${rest}`)
      ms += rest
    },
  })
  const work = (name: string, takesMs: number) => async () => {
    told.push(`${name} at ${ms}`)
    ms += takesMs
    if (name === 'bad') throw new Error('no')
    return name
  }
  return { told, turn, work, pass: (by: number) => (ms += by) }
}

it('rests three times as long as a turn took, and only when the next one comes so soon', async () => {
  const { told, turn, work, pass } = createWorld()
  expect(await Promise.all([turn(work('a', 100)), turn(work('b', 10))])).toEqual(['a', 'b'])
  pass(1_000)
  await turn(work('c', 5))
  expect(told).toEqual(['a at 0', 'rest 300', 'b at 400', 'c at 1410'])
})

it('rests half a minute at most: a turn that hung, or a machine that slept, does not stop the line for hours', async () => {
  const { told, turn, work } = createWorld()
  await Promise.all([turn(work('a', 3_600_000)), turn(work('b', 1))])
  expect(told).toEqual(['a at 0', 'rest 30000', 'b at 3630000'])
})

it('refuses who would be the third to wait, and outlives work that fails', async () => {
  const { turn, work } = createWorld()
  const asked = ['bad', 'x', 'y', 'z'].map((name) => turn(work(name, 1)).catch((error: Error) => error.message))
  expect(await Promise.all(asked)).toEqual(['no', 'x', 'y', 'Too many receipts are being computed. Try again'])
})

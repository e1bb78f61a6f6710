import { expect, it } from 'vitest'
import { narrowHole } from './narrowHole.ts'

it.each([
  ['the last block', 1_000],
  ['one in the middle', 617],
  ['the first block', 100],
])('finds where the difference began: %s', async (_name, began) => {
  const asked: number[] = []
  const found = await narrowHole({ first: 100, bad: 1_000 }, async (block) => {
    asked.push(block)
    return block >= began
  })
  expect(found).toBe(began)
  expect(asked.length).toBeLessThanOrEqual(20)
})

it('of a node that keeps the state of 128 blocks: what began within them is found, what began before is not', async () => {
  const keeping = (began: number) => async (block: number) => (block < 1_000 - 128 ? undefined : block >= began)
  expect(await narrowHole({ first: 1, bad: 1_000 }, keeping(950))).toBe(950)
  expect(await narrowHole({ first: 1, bad: 1_000 }, keeping(500))).toBe(undefined)
})

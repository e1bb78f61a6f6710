import { expect, it } from 'vitest'
import { inSlices } from './rows.ts'

const rows = Array.from({ length: 250 }, (_, i) => i)

/** Inserts that end when they are told to. */
function openInserts() {
  const begun: { readonly first: number; readonly end: (error?: Error) => void }[] = []
  const insert = (slice: number[]) =>
    new Promise<void>((resolve, reject) => {
      begun.push({ first: slice[0] as number, end: (error) => (error ? reject(error) : resolve()) })
    })
  const turn = () => new Promise((done) => setImmediate(done))
  return { begun, insert, turn }
}

it('begins a slice while the one before is under way, and no more', async () => {
  const { begun, insert, turn } = openInserts()
  const done = inSlices(rows, insert)
  await turn()
  expect(begun.map(({ first }) => first)).toEqual([0, 100])
  begun[0]?.end()
  await turn()
  expect(begun.map(({ first }) => first)).toEqual([0, 100, 200])
  for (const { end } of begun) end()
  await done
})

it('fails with the first failure, and only when nothing is under way any more', async () => {
  const { begun, insert, turn } = openInserts()
  let failure: unknown
  const done = inSlices(rows, insert).catch((error: unknown) => {
    failure = error
  })
  await turn()
  begun[0]?.end(new Error('the disk is full'))
  await turn()
  expect(failure).toBeUndefined()
  begun[1]?.end(new Error('the transaction is over'))
  await done
  expect(failure).toEqual(new Error('the disk is full'))
  expect(begun).toHaveLength(2)
})

it('fails with the failure of the last slice, too, and inserts nothing of nothing', async () => {
  const insert = async (slice: number[]) => {
    if (slice[0] === 200) throw new Error('the disk is full')
  }
  await expect(inSlices(rows, insert)).rejects.toThrow('the disk is full')
  await inSlices([], () => Promise.reject(new Error('was called')))
})

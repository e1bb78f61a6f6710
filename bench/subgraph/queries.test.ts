import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openStore } from '../../server/store/openStore.ts'
import { busyPool, fillStore } from './fillStore.ts'
import { timeSql } from './measure.ts'
import { openRaw, type RawDatabase } from './openRaw.ts'
import { listQuestions } from './queries.ts'

// The last second of an hour. Two thousand swaps in 31 days are one in 22 minutes: no hour is without one.
const endSeconds = 1_800_003_599
const questions = listQuestions(endSeconds)
const folder = mkdtempSync(join(tmpdir(), 'chainboard-subgraph-'))
const location = { file: join(folder, 'filled.db') }
let raw: RawDatabase

beforeAll(async () => {
  const store = await openStore(location)
  await fillStore(store, { swaps: 2_000, days: 31, endSeconds })
  await store.close()
  raw = await openRaw(location)
})

afterAll(async () => {
  await raw.close()
  rmSync(folder, { recursive: true })
})

it('finds in SQL as many rows as the question is about', async () => {
  expect(questions.map(({ rows }) => rows)).toEqual([168, 20])
  for (const question of questions) expect(await timeSql(raw, question, 2)).toHaveLength(2)
})

it('does not time SQL that finds other rows', async () => {
  const [hours] = questions
  if (!hours) throw new Error('there is no question about hours')
  const wrong = { ...hours, parameters: [`0x${'00'.repeat(20)}`, 0] }
  await expect(timeSql(raw, wrong, 1)).rejects.toThrow('poolHourDatas, 168 hours: 0 rows of SQL, expected 168')
})

it('fills the store evenly, with the last swap before the end', async () => {
  const swaps = (await raw.run('select timestamp, tick from swaps order by timestamp', [])).map((row) => Object(row))
  expect(swaps).toHaveLength(2_000)
  expect(swaps.at(-1)?.timestamp).toBeLessThanOrEqual(endSeconds)
  // 31 days are 2,678,400 s, in 2,002 steps of which the first two open the pool: the 1st swap is the 3rd event.
  expect(swaps[0]?.timestamp - (endSeconds - 2_678_400)).toBe(2_675)
  // Steps of 1337.9 s.
  const steps = new Set(swaps.slice(1).map(({ timestamp }, i) => timestamp - swaps[i]?.timestamp))
  expect([...steps].toSorted()).toEqual([1_337, 1_338])
  expect(swaps.slice(0, 14).map(({ tick }) => tick)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 0])
})

it('asks about the pool that is filled', () => {
  expect(questions.map(({ parameters }) => parameters[0])).toEqual([busyPool, busyPool])
})

import type { Address } from '@chainboard/core'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { type StandInSubgraph, startStandInSubgraph } from '../../testing/standInSubgraph.ts'
import { type PoolScope, readPools } from './readPools.ts'
import { createSubgraphClient } from './subgraphClient.ts'

let standIn: StandInSubgraph
beforeEach(async () => {
  standIn = await startStandInSubgraph()
})
afterEach(() => standIn.close())

/** 1,600 tokens are eight lists. */
const known = Array.from({ length: 1_600 }, (_, i): Address => `0x${i.toString(16).padStart(40, '0')}`)
const read = (scope: PoolScope) => readPools(createSubgraphClient(standIn.url), { known, scope, atBlockNumber: 1 })

/** A server whose every list has another full page. */
function answerWithoutEnd() {
  const page = Array.from({ length: 1_000 }, (_, i) => ({ id: `${i}` }))
  const body = JSON.stringify({ data: { s0: page, s1: page, s2: page, s3: page, s4: page } })
  standIn.trouble = () => ({ kind: 'status', status: 200, body })
}

it('ends a reading of 64 lists without end after 50,000 rows of all', async () => {
  answerWithoutEnd()
  await expect(read('both')).rejects.toMatchObject({
    code: 'upstream-invalid',
    message: 'The subgraph has more than 10000 pools of 200 listed tokens, or 50000 of all',
  })
  // 5,000 rows each.
  expect(standIn.queries.length).toBe(11)
})

it('leaves the wider scope when that has more', async () => {
  answerWithoutEnd()
  expect(await read('any')).toBeUndefined()
  // Three pages of the 16 lists take 12 questions.
  expect(standIn.queries.length).toBe(13)
})

it('reads every list of tokens without pools', async () => {
  expect(await read('both')).toEqual([])
  expect(standIn.queries.length).toBe(13)
})

import { expect, it } from 'vitest'
import type { Chain, Header } from './chain.ts'
import { judgeByNodes, judgeReorg } from './judgeReorg.ts'

const alone = { depthMax: 64, nodes: 1, agreeing: 1, standingMs: 0 }

it('a reorg within the limit needs one node', () => {
  expect(judgeReorg({ ...alone, depth: 64 })).toEqual({ go: true })
})

it('a deeper one because of a single node needs ten minutes', () => {
  expect(judgeReorg({ ...alone, depth: 65 })).toEqual({
    go: false,
    why: "The node reports a reorg of 65 blocks; this network's limit is 64. If this persists, the server follows it in 10 min: check RPC_URL",
  })
  expect(judgeReorg({ ...alone, depth: 65, standingMs: 599_999 }).go).toBe(false)
  expect(judgeReorg({ ...alone, depth: 65, standingMs: 600_000 })).toEqual({ go: true })
})

it('of several nodes all have to agree', () => {
  expect(judgeReorg({ ...alone, depth: 100, nodes: 3, agreeing: 3 })).toEqual({ go: true })
  expect(judgeReorg({ ...alone, depth: 100, nodes: 2, agreeing: 1, standingMs: 9_000_000 })).toEqual({
    go: false,
    why: "The node reports a reorg of 100 blocks; this network's limit is 64. 1 of 2 nodes agree: check RPC_URL",
  })
})

it('or more than half of them for a minute', () => {
  expect(judgeReorg({ ...alone, depth: 100, nodes: 3, agreeing: 2, standingMs: 59_999 })).toEqual({
    go: false,
    why: "The node reports a reorg of 100 blocks; this network's limit is 64. 2 of 3 nodes agree. If this persists, the server follows it in 1 min: check RPC_URL",
  })
  expect(judgeReorg({ ...alone, depth: 100, nodes: 3, agreeing: 2, standingMs: 60_000 })).toEqual({ go: true })
})

it('a node that tells of a branch and then of another one is not believed, however long ago it began', () => {
  expect(judgeReorg({ ...alone, depth: 65, agreeing: 0, standingMs: 9_000_000 }).go).toBe(false)
})

it.each([
  { told: ['theirs', 'theirs', undefined, undefined], isDenied: false },
  { told: ['theirs', undefined, undefined], isDenied: false },
  { told: ['theirs', 'ours'], isDenied: true },
  { told: ['theirs', 'ours', undefined], isDenied: true },
  { told: ['theirs', 'theirs', 'ours', undefined], isDenied: false },
])('a branch is denied by as many nodes as have it, and silence denies nothing: $told', async ({ told, isDenied }) => {
  const headers = told.map((hash) => (hash === undefined ? undefined : ({ hash } as Header)))
  const chain = { readHeaderOfEach: async () => headers } as unknown as Chain
  const reorg = { number: 7, branch: 'theirs', depth: 65, depthMax: 64, nowMs: 0, dispute: undefined }
  expect(await judgeByNodes(chain, reorg)).toMatchObject({ go: false, isDenied })
})

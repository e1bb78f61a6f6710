import { expect, it } from 'vitest'
import { createClaims, judgeRepair } from './judgeRepair.ts'

const alone = { block: 100, depth: 200, depthMax: 64, isProven: false, agreeing: 1, voices: 1, standingMs: 0 }

it('what a proof shows is repaired at any depth', () => expect(judgeRepair({ ...alone, isProven: true })).toEqual({ go: true }))

it("within the network's limit of a reorg one node's word is enough", () => {
  expect(judgeRepair({ ...alone, depth: 64 })).toEqual({ go: true })
})

it("deeper, one node's word takes ten minutes", () => {
  expect(judgeRepair({ ...alone, depth: 65, standingMs: 599_999 })).toEqual({
    go: false,
    why: 'One node contradicts block 100 of the index without proof. If this persists, the server reads the index again from there in 1 min: check RPC_URL',
  })
  expect(judgeRepair({ ...alone, standingMs: 600_000 })).toEqual({ go: true })
})

it('deeper, all of several nodes that have only less than the index may have forgotten it: that takes ten minutes, too', () => {
  const forgetful = { ...alone, agreeing: 3, voices: 3, isLoss: true }
  expect(judgeRepair({ ...forgetful, standingMs: 599_999 })).toEqual({
    go: false,
    why: '3 nodes contradict block 100 of the index without proof. If this persists, the server reads the index again from there in 1 min: check RPC_URL',
  })
  expect(judgeRepair({ ...forgetful, standingMs: 600_000 })).toEqual({ go: true })
  expect(judgeRepair({ ...forgetful, depth: 64 })).toEqual({ go: true })
  expect(judgeRepair({ ...forgetful, isLoss: false })).toEqual({ go: true })
})

it('deeper, several nodes have to agree, however long it takes', () => {
  expect(judgeRepair({ ...alone, agreeing: 2, voices: 2 })).toEqual({ go: true })
  expect(judgeRepair({ ...alone, agreeing: 2, voices: 3, standingMs: 6_000_000 })).toEqual({
    go: false,
    why: '2 nodes contradict block 100 of the index without proof. 2 of 3 nodes agree: check RPC_URL',
  })
})

it('a claim stands from when it was first made, and another claim starts over', () => {
  let nowMs = 0
  const claims = createClaims(() => nowMs, 64)
  const judge = (claim: string) => claims.judge(100, { isProven: false, agreeing: 1, voices: 1, claim }, 300)
  expect(judge('nothing')).toBe(false)
  nowMs = 500_000
  expect(judge('a swap')).toBe(false)
  nowMs = 1_000_000
  expect([judge('a swap'), claims.why(100)]).toEqual([false, expect.stringContaining('in 2 min')])
  nowMs = 1_100_000
  expect([judge('a swap'), claims.why(100)]).toEqual([true, undefined])
})

it('a claim about blocks that the index has no more is forgotten', () => {
  const claims = createClaims(() => 0, 64)
  claims.judge(100, { isProven: false, agreeing: 1, voices: 1, claim: '' }, 300)
  claims.rolledBack(99)
  expect(claims.why(100)).toBe(undefined)
})

import { expect, it } from 'vitest'
import { NotMeasured } from '../notMeasured.ts'
import { createStageTokens } from './stageTokens.ts'

it("knows the tokens and pools of the devnet, and an attacker's once it is made", () => {
  const tokens = createStageTokens()
  expect(tokens.token('USDC').decimals).toBe(6)
  expect(tokens.made()).toEqual([])
  expect(() => tokens.token('EVIL')).toThrow(new NotMeasured('the lab has no token EVIL'))
  const own = { symbol: 'EVIL', address: `0x${'e1'.repeat(20)}`, decimals: 18 } as const
  tokens.add(own)
  expect(tokens.token('EVIL')).toBe(own)
  expect(tokens.made()).toEqual([own])
})

it('counts a pool that is asked for, once, with its address in lower case', () => {
  const tokens = createStageTokens()
  const before = tokens.pools().length
  const pool = tokens.pool('WEMB', 'USDC', 10_000)
  expect(pool.address).toMatch(/^0x[0-9a-f]{40}$/)
  tokens.pool('WEMB', 'USDC', 10_000)
  expect(tokens.pools()).toHaveLength(before + 1)
  expect(tokens.pools().at(-1)).toEqual(pool)
})

import { expect, it } from 'vitest'
import { judgeToken } from './judgeToken.ts'

const address = `0x${'20'.repeat(20)}` as const
const claim = { field: 'assets.json.0 (ALPHA)', address, symbol: 'ALPHA', decimals: 8 }
const facts = { address, symbol: 'ALPHA', name: 'Alpha', decimals: 8, totalSupplyRaw: 2_000_000n * 10n ** 8n }

it('a supply of the list that the chain contradicts is told, a rounded one is not', () => {
  expect(judgeToken({ ...claim, supply: 200_000 }, facts, true)).toMatchObject({
    level: 'warn',
    field: 'assets.json.0 (ALPHA).supply',
    found: '200,000, but 2,000,000 on the chain',
  })
  expect(judgeToken({ ...claim, supply: 1_999_000 }, facts, true).level).toBe('ok')
  expect(judgeToken(claim, facts, true).level).toBe('ok')
})

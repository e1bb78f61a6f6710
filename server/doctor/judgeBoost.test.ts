import { describe, expect, it } from 'vitest'
import { formatFinding } from '../finding.ts'
import { type BoostStartFacts, judgeBoost, judgeBoostStart } from './judgeBoost.ts'

const facts = { hasCode: true, price: 25_000_000n, durationSeconds: 86_400n, paused: false, takesUsdc: true }
const linesFor = (changes: Partial<Parameters<typeof judgeBoost>[0]>) => judgeBoost({ ...facts, ...changes }).map(formatFinding)

describe('the terms of a boost', () => {
  it.each([
    [25_000_000n, 86_400n, '25 US dollars and lasts 24 hours'],
    [19_994_999n, 90_000n, '19.99 US dollars and lasts 25 hours'],
    [19_995_000n, 5_400n, '20 US dollars and lasts 1.5 hours'],
    [50_000n, 86_400n, '0.05 US dollars and lasts 24 hours'],
  ])('of %d millionths and %d s are told as %s', (price, durationSeconds, text) => {
    expect(linesFor({ price, durationSeconds })).toEqual([`ok    boost.address: a boost costs ${text}`])
  })
})

describe('the first block of the ledger', () => {
  const lineFor = (facts: Partial<BoostStartFacts>) =>
    formatFinding(
      judgeBoostStart({ startBlock: 50_000, createdAt: undefined, logBefore: undefined, lookedAtAll: true, ...facts }),
    )

  it('is right at the block of the contract, up to 10,000 blocks before it, and where nothing came before', () => {
    expect(lineFor({ createdAt: 50_000 })).toBe('ok    boost.startBlock: the contract was created at block 50000')
    expect(lineFor({ createdAt: 60_000 })).toBe('ok    boost.startBlock: the contract was created at block 60000')
    expect(lineFor({})).toBe('ok    boost.startBlock: no event came before 50000')
    expect(lineFor({ createdAt: 60_001 })).toBe(
      "warn  boost.startBlock: found 50000, and the contract's first event at block 60001, expected 60001. Otherwise the first start reads blocks for nothing",
    )
  })

  it('is too late one block after it', () => {
    expect(lineFor({ createdAt: 49_999 })).toContain(
      "FAIL  boost.startBlock: found 50000, and the contract's first event at block 49999",
    )
    expect(lineFor({ logBefore: 49_000 })).toContain('expected at most 49000.')
  })

  it('cannot be judged on a node that keeps neither old states nor answers for all blocks', () => {
    expect(lineFor({ lookedAtAll: false })).toMatch(
      /^warn {2}boost\.startBlock: found no event shortly before 50000, earlier blocks were not checked, /,
    )
  })
})

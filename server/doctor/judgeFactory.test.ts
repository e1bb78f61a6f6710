import { describe, expect, it } from 'vitest'
import { formatFinding } from '../finding.ts'
import { judgeStart, type StartFacts } from './judgeFactory.ts'

const lineFor = (facts: Partial<StartFacts>) =>
  formatFinding(judgeStart({ startBlock: 50_000, createdAt: undefined, poolBefore: undefined, lookedAtAll: true, ...facts }))

describe('the first block of the index', () => {
  it('is right at the block of the factory, up to 10,000 blocks before it, and later when there was no pool yet', () => {
    expect(lineFor({ createdAt: 50_000 })).toBe('ok    dex.startBlock: the factory was created at block 50000')
    expect(lineFor({ createdAt: 60_000 })).toBe('ok    dex.startBlock: the factory was created at block 60000')
    expect(lineFor({ createdAt: 40_000 })).toBe('ok    dex.startBlock: the factory was created at block 40000')
  })

  it('is needlessly early 10,001 blocks before the factory', () => {
    expect(lineFor({ createdAt: 60_001 })).toBe(
      'warn  dex.startBlock: found 50000, but the factory was created at block 60001, expected 60001. Otherwise the first start reads blocks for nothing',
    )
  })

  it('is too late after a pool was made: the block of the factory is wanted, or that of the pool', () => {
    expect(lineFor({ createdAt: 40_000, poolBefore: 45_000 })).toContain(
      'FAIL  dex.startBlock: found 50000, but a pool was created at block 45000, expected at most 40000.',
    )
    expect(lineFor({ poolBefore: 45_000 })).toContain('expected at most 45000.')
  })

  it('cannot be judged on a node that keeps neither old states nor answers for all blocks', () => {
    expect(lineFor({ lookedAtAll: false })).toMatch(
      /^warn {2}dex\.startBlock: found no pool shortly before 50000, earlier blocks were not checked/,
    )
  })
})

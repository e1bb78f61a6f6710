import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import {
  foreignFaults,
  forgetfulFaults,
  honestFaults,
  malformedFaults,
  type Story,
  storeFaults,
} from '../testing/simulation/acts.ts'
import type { BatchReport } from '../testing/simulation/runBatch.ts'
import { playInProcess, runInProcess, sweepInProcess } from '../testing/simulation/runInProcess.ts'

const allMs = 600_000
const families = ['honest', 'crash', 'store', 'malformed'] as const
const faults = [...honestFaults, ...malformedFaults]

/** What else has to happen in a batch, or the batch proves nothing about it. */
const alsoWanted = [
  'reorg',
  'stall',
  'burst',
  'restart',
  'crash before a statement',
  'crash after a statement',
  'crash before commit',
  'crash after commit',
  'crash before a call of the node',
  'crash after a call of the node',
  'the index was taken back',
  'log: Following the chain again',
  'client: added',
  'client: removed',
  'client: spent a permit',
  'client: over quota',
]

describe('simulated stories', () => {
  let report: BatchReport
  beforeAll(async () => {
    report = await runInProcess({ first: 1, stories: 60, secondsMax: 500, families, twiceEvery: 10 })
  }, allMs)

  it('end with the index of a sync from scratch, every acknowledged write, and no key over its limit', () => {
    // To replay one: npm run bench -- stories --families honest,crash,store,malformed --seed <seed>
    expect(report.failures).toEqual([])
    expect(report.stories).toBe(60)
  })

  it('go the same way when they are played twice', () => expect(report.twice).toBe(6))

  it.each([...faults.map((fault) => `fault: ${fault}`), ...storeFaults.map((fault) => `store: ${fault}`), ...alsoWanted])(
    'had this in them: %s',
    (what) => {
      expect(report.noted[what] ?? 0).toBeGreaterThan(0)
    },
  )

  it(
    'throw nothing of the index away on the word of a node that is on another chain, behind, or alone with its branch',
    async () => {
      const foreign = await runInProcess({ first: 1, stories: 14, secondsMax: 300, families: ['foreign'], twiceEvery: 0 })
      expect(foreign.failures).toEqual([])
      for (const fault of foreignFaults) expect(foreign.noted[`fault: ${fault}`]).toBeGreaterThan(0)
    },
    allMs,
  )

  it(
    'believe no node that has forgotten old logs, or makes some up, whatever its receipts say',
    async () => {
      const forgetful = await runInProcess({ first: 1, stories: 20, secondsMax: 300, families: ['forgetful'], twiceEvery: 0 })
      expect(forgetful.failures).toEqual([])
      for (const fault of forgetfulFaults) expect(forgetful.noted[`fault: ${fault}`]).toBeGreaterThan(0)
    },
    allMs,
  )

  it(
    'need nothing put right where nothing is wrong: no rollback without a reorg, no failure',
    async () => {
      const calm = await runInProcess({ first: 1, stories: 12, secondsMax: 300, families: [], twiceEvery: 0 })
      expect(calm.failures).toEqual([])
      expect(calm.noted['log: The chain has reorganised: index rolled back'] ?? 0).toBeLessThanOrEqual(calm.noted['reorg'] ?? 0)
    },
    allMs,
  )

  it.each([
    { where: 'store', side: 'before', offset: 3 },
    { where: 'store', side: 'after', offset: 1 },
    { where: 'node', side: 'after', offset: 0 },
  ] as const)(
    'survive the end of the process $side an operation of the $where, wherever it is',
    async ({ where, side, offset }) => {
      const { stories, failures } = await sweepInProcess({ where, side, offset, stride: 11 })
      expect(failures).toEqual([])
      expect(stories).toBeGreaterThan(6)
    },
    allMs,
  )
})

const keptFolder = join(import.meta.dirname, '../testing/simulation/keptStories')

describe('a story that once found a bug', () => {
  const names = readdirSync(keptFolder)
  let violations: ReadonlyMap<string, unknown>
  beforeAll(async () => {
    const found = await playInProcess(names.map((name) => JSON.parse(readFileSync(join(keptFolder, name), 'utf8')) as Story))
    violations = new Map(names.map((name, place) => [name, found[place]]))
  }, allMs)

  it.each(names)('holds: %s', (name) => expect(violations.get(name)).toBe(null))
})

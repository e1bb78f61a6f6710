import { copyFileSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Address, noDepth } from '@chainboard/core'
import { afterAll, describe, expect, inject, it } from 'vitest'
import type { IndexScope } from '../indexer/indexScope.ts'
import { toStoredScope } from '../indexer/settleScope.ts'
import { putScope } from '../store/indexScope.ts'
import { openStore } from '../store/openStore.ts'
import { emptyPoolState } from '../store/poolState.ts'
import { upsertPools } from '../store/pools.ts'
import { setCursor } from '../store/syncCursor.ts'
import { removeFile, resumeIndex } from './resumeIndex.ts'

const folders: string[] = []
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true })
})

const addressOf = (byte: string): Address => `0x${byte.repeat(20)}`
const [factory, token] = [addressOf('fa'), addressOf('11')]
const hash = `0x${'01'.repeat(32)}` as const
const nowSeconds = 1_700_000_000
const stages = [{ name: 'now' }, { name: 'day' }, { name: 'month' }]
const scope: IndexScope = {
  factory,
  onlyTokens: new Set([token]),
  valuation: { stables: [token], wrappedNative: addressOf('50'), quotes: [], depthFloorUsdE18: 10n, windowSeconds: 1_800 },
}

/** An index as an earlier run has built it. */
type Built = {
  readonly identity?: string
  readonly ageSeconds?: number
  readonly scope?: IndexScope
  readonly hasPools?: boolean
}

async function openFolder(built: Readonly<Record<string, Built>>) {
  const folder = mkdtempSync(join(tmpdir(), 'chainboard-resume-'))
  folders.push(folder)
  const fileOf = (name: string) => join(folder, `${name}.db`)
  for (const [name, facts] of Object.entries(built)) {
    copyFileSync(inject('sqliteTemplate'), fileOf(name))
    const { identity = `31337:${hash}:${factory}:700`, ageSeconds = 60, scope: own = scope, hasPools = true } = facts
    const store = await openStore({ file: fileOf(name) })
    await store.write(async (tx) => {
      await setCursor(tx, { identity, block: { number: 900, hash, timestampSeconds: nowSeconds - ageSeconds } })
      await putScope(tx, toStoredScope(own))
      const times = {
        createdBlock: 700,
        createdAtSeconds: 1_699_000_000,
        firstSwapAtSeconds: undefined,
        lastSwapAtSeconds: undefined,
      }
      const facts = {
        address: addressOf('a1'),
        token0: token,
        token1: addressOf('22'),
        fee: 500,
        tickSpacing: 10,
        reach: undefined,
      }
      if (hasPools) await upsertPools(tx, [{ ...emptyPoolState, ...noDepth, ...facts, ...times }])
    })
    await store.close()
  }
  const resume = (wanted = scope) =>
    resumeIndex(
      { folder, openStore: (file) => openStore({ file }), scope: wanted, chainId: 31_337, nowMs: () => nowSeconds * 1_000 },
      stages,
    )
  const left = () => stages.map(({ name }) => name).filter((name) => existsSync(fileOf(name)))
  return { fileOf, resume, left }
}

describe('the index of the last run', () => {
  it('that reaches furthest back goes on, and the others are removed', async () => {
    const { fileOf, resume, left } = await openFolder({ now: {}, day: {} })
    expect(await resume()).toEqual({ file: fileOf('day'), place: 1, startBlock: 700, sinceSeconds: 1_699_000_000 })
    expect(left()).toEqual(['day'])
  })

  it('goes on in place of one that reaches further and is of no use', async () => {
    const { resume, left } = await openFolder({ now: {}, month: { ageSeconds: 86_400 } })
    expect([(await resume())?.place, left()]).toEqual([0, ['now']])
  })

  it('is of no use without any', async () => {
    expect(await (await openFolder({})).resume()).toBe(undefined)
  })

  it.each<[string, Built]>([
    ['is a day old', { ageSeconds: 86_400 }],
    ['is of another chain', { identity: `1:${hash}:${factory}:700` }],
    ['is of another exchange', { identity: `31337:${hash}:${addressOf('fb')}:700` }],
    ['has the pools of other tokens', { scope: { ...scope, onlyTokens: new Set([token, addressOf('22')]) } }],
    ['has all pools where some are wanted', { scope: { ...scope, onlyTokens: undefined } }],
    ['has dollars by other settings', { scope: { ...scope, valuation: { ...scope.valuation, depthFloorUsdE18: 11n } } }],
    ['has no pool', { hasPools: false }],
  ])('is removed where it %s', async (_name, built) => {
    const { resume, left } = await openFolder({ day: built })
    expect([await resume(), left()]).toEqual([undefined, []])
  })

  it('is removed where it is damaged, and keeps no other from going on', async () => {
    const { fileOf, resume, left } = await openFolder({ now: {} })
    writeFileSync(fileOf('month'), 'not a database')
    expect([(await resume())?.place, left()]).toEqual([0, ['now']])
  })
})

describe('removing an index', () => {
  it('removes what SQLite keeps beside it, too, and nothing of another', async () => {
    const { fileOf } = await openFolder({})
    const files = ['', '-wal', '-shm'].map((end) => `${fileOf('now')}${end}`)
    for (const file of [...files, fileOf('day')]) writeFileSync(file, 'x')
    removeFile(fileOf('now'))
    expect([...files, fileOf('day')].map((file) => existsSync(file))).toEqual([false, false, false, true])
  })

  it('that is not there is nothing', async () => {
    const { fileOf } = await openFolder({})
    expect(() => removeFile(fileOf('now'))).not.toThrow()
  })
})

import { Failure } from '@chainboard/core'
import { describe, expect, it } from 'vitest'
import type { Header } from '../chain/chain.ts'
import { FakeChain } from '../chain/fakeChain.ts'
import type { FollowStatus } from '../indexer/followChain.ts'
import { setCursor } from '../store/syncCursor.ts'
import { limitDefaults } from '../testing/following.ts'
import { createTempStores } from '../testing/tempStores.ts'
import { measureGap } from './measureGap.ts'

const stores = createTempStores()
const daySeconds = 86_400

type Facts = { readonly behind: { readonly blocks: number; readonly seconds: number }; readonly hasIndex?: boolean }

/** An index that begins at block 1,000 and is so far behind; `undefined`: has not begun, at a head so far from the first block. */
async function open({ behind, hasIndex = false }: Facts, isBegun = true) {
  const main = await stores.openNew('sqlite')
  const word = `0x${'01'.repeat(32)}` as const
  const head: Header = { number: 1_000 + behind.blocks, hash: word, parentHash: word, timestampSeconds: 1_700_000_000 }
  const block = { number: 1_000, hash: word, timestampSeconds: head.timestampSeconds - behind.seconds }
  if (isBegun) await main.write((tx) => setCursor(tx, { identity: 'some chain', block }))
  const failures: Error[] = []
  const chain = Object.assign(new FakeChain(), {
    readHead: async () => {
      const failure = failures.shift()
      if (failure) throw failure
      return head
    },
  })
  const [waits, troubles, warnings]: [number[], FollowStatus['trouble'][], string[]] = [[], [], []]
  const stopping = new AbortController()
  const measure = () =>
    measureGap(
      {
        ...{ chain, main, limits: { ...limitDefaults, startBlock: 1_000 }, nowMs: () => 5_000 },
        pause: async (ms) => void waits.push(ms),
        log: { info: () => undefined, warn: (_, text) => warnings.push(text), error: () => undefined },
      },
      { signal: stopping.signal, hasIndex, onTrouble: (trouble) => troubles.push(trouble) },
    )
  return { measure, failures, waits, troubles, warnings, stopping }
}

const gapOf = async (...facts: Parameters<typeof open>) => (await open(...facts)).measure()

describe('an index that is behind', () => {
  it('lets others answer for it from two days and 20,000 blocks on', async () => {
    expect(await gapOf({ behind: { blocks: 20_000, seconds: 2 * daySeconds } })).toBe(172_800)
    expect(await gapOf({ behind: { blocks: 19_999, seconds: 2 * daySeconds } })).toBe(undefined)
    expect(await gapOf({ behind: { blocks: 20_000, seconds: 2 * daySeconds - 1 } })).toBe(undefined)
  })

  it('lets the index of the last run answer when it is ten minutes behind', async () => {
    expect(await gapOf({ behind: { blocks: 50, seconds: 600 }, hasIndex: true })).toBe(600)
    expect(await gapOf({ behind: { blocks: 50, seconds: 599 }, hasIndex: true })).toBe(undefined)
  })

  it('that has not begun is behind without end, where the chain is long', async () => {
    const seconds = 0
    expect(await gapOf({ behind: { blocks: 20_000, seconds } }, false)).toBe(Number.POSITIVE_INFINITY)
    expect(await gapOf({ behind: { blocks: 19_999, seconds } }, false)).toBe(undefined)
  })
})

describe('while the node does not answer', () => {
  const away = () => new Failure('rpc-unavailable', 'The node is away', { retryable: true })

  it('it is asked again after longer and longer waits, and the log says so once', async () => {
    const { measure, failures, waits, warnings, troubles } = await open({ behind: { blocks: 20_000, seconds: 2 * daySeconds } })
    failures.push(...Array.from({ length: 7 }, away))
    expect(await measure()).toBe(172_800)
    expect(waits).toEqual([1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000])
    expect(warnings).toEqual(['The node is away'])
    expect([troubles[0], troubles.at(-1)]).toEqual([{ kind: 'node', text: 'The node is away', sinceMs: 5_000 }, undefined])
  })

  it('a server that stops does not ask on', async () => {
    const { measure, failures, stopping, waits } = await open({ behind: { blocks: 20_000, seconds: 2 * daySeconds } })
    failures.push(away())
    stopping.abort()
    expect([await measure(), waits]).toEqual([undefined, []])
  })

  it('an error of ours is none of its failures', async () => {
    const { measure, failures, waits } = await open({ behind: { blocks: 0, seconds: 0 } })
    failures.push(new TypeError('undefined is not a function'))
    await expect(measure()).rejects.toThrow('undefined is not a function')
    expect(waits).toEqual([])
  })
})

import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Address } from '@chainboard/core'
import { afterAll, beforeEach, expect, it, vi } from 'vitest'
import type { Chain } from '../chain/chain.ts'
import { FakeChain } from '../chain/fakeChain.ts'
import { parseFileName } from '../chain/recorded/pieceFile.ts'
import { toRecordingChain } from '../chain/recorded/recordingChain.ts'
import { createRecordings } from '../chain/recorded/recordings.ts'
import { listAsideIndexes } from '../store/asideIndexes.ts'
import { listBlocksDown } from '../store/blocks.ts'
import type { Store } from '../store/store.ts'
import { findCursor } from '../store/syncCursor.ts'
import { dumpIndex } from '../testing/dumpIndex.ts'
import { factory, follow, mineSome, poolCreated, poolEvent, poolOf, tokens, untilSynced } from '../testing/fakeExchange.ts'
import { strictLog } from '../testing/following.ts'
import { createTempStores } from '../testing/tempStores.ts'
import { Doubted } from '../witness/createGuard.ts'
import type { Witness } from '../witness/witness.ts'
import type { FollowDeps } from './followChain.ts'
import { repair } from './takeRange.ts'

const stores = createTempStores()
const dir = mkdtempSync(join(tmpdir(), 'chainboard-recorded-'))
afterAll(() => rmSync(dir, { recursive: true, force: true }))
let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(dir, 'f'))
})

const pieces = () =>
  readdirSync(folder)
    .flatMap((name) => readdirSync(join(folder, name)).flatMap((file) => parseFileName(file) ?? []))
    .sort((a, b) => a.from - b.from)
const written = (to: number) => vi.waitUntil(() => pieces().some((piece) => piece.to === to), { interval: 2, timeout: 10_000 })

function newChain(): FakeChain {
  const chain = new FakeChain()
  for (const address of tokens)
    chain.tokens.set(address, { address, symbol: 'T', name: 'Token', decimals: 18, totalSupplyRaw: 9n })
  chain.mine([...poolCreated(0), ...poolCreated(1), poolEvent(0, 0, 300), poolEvent(1, 0, 200)])
  mineSome(chain, { blocks: 300, seed: 3 })
  return chain
}

/** The chain of a server, and which blocks of the history its node was asked for. */
function record(chain: FakeChain) {
  const asked: (readonly [number, number])[] = []
  const counted: Chain = {
    ...chain,
    readHistory: (request) => {
      asked.push([request.from, request.to])
      return chain.readHistory(request)
    },
  }
  const recordings = createRecordings({ folder, bytesMax: 1e9, log: { warn: (_, text) => expect(text).toBe('') } })
  return { chain: toRecordingChain(counted, { chainId: 31_337, factory: factory as Address, recordings }), asked }
}

/** Follows the chain to its head. */
async function sync(chain: FakeChain, of: Chain, store: Store, changes: Partial<FollowDeps> = {}): Promise<void> {
  const follower = follow(of, store, { factory, confirmations: 6, spanMax: 20, ...changes })
  await untilSynced(chain, follower)
  await follower.stop()
}

it('an index that starts over is equal, and asks no node for what was recorded', { timeout: 60_000 }, async () => {
  const chain = newChain()
  const [first, second] = [await stores.openNew('sqlite'), await stores.openNew('sqlite')]
  const one = record(chain)
  await sync(chain, one.chain, first)
  const settled = chain.height - 6
  await written(settled)
  expect(one.asked.map(([from]) => from)[0]).toBe(0)
  const two = record(chain)
  await sync(chain, two.chain, second)
  expect(two.asked).toEqual([])
  expect(await dumpIndex(second)).toEqual(await dumpIndex(first))
  expect(await listBlocksDown(second.read, chain.height, 9)).toEqual(await listBlocksDown(first.read, chain.height, 9))
  // What has come since is asked for, and nothing else.
  mineSome(chain, { blocks: 60, seed: 5 })
  const [third, plain] = [await stores.openNew('sqlite'), await stores.openNew('sqlite')]
  const three = record(chain)
  await sync(chain, three.chain, third)
  await sync(chain, chain, plain)
  expect(three.asked).toEqual([[settled + 1, chain.height - 6]])
  expect(await dumpIndex(third)).toEqual(await dumpIndex(plain))
  for (const store of [first, second, third, plain]) await store.close()
})

it('after a stop in the middle, what was stored by then is there', { timeout: 60_000 }, async () => {
  const chain = newChain()
  chain.joinsRanges = false
  const [first, second, plain] = [await stores.openNew('sqlite'), await stores.openNew('sqlite'), await stores.openNew('sqlite')]
  const reached = Promise.withResolvers<void>()
  const follower = follow(record(chain).chain, first, {
    ...{ factory, confirmations: 6, spanMax: 20 },
    onChange: ({ cursor }) => (cursor?.number ?? 0) > 100 && reached.resolve(),
  })
  await reached.promise
  await follower.stop()
  const last = (await findCursor(first.read))?.block?.number as number
  await written(last)
  const two = record(chain)
  await sync(chain, two.chain, second)
  await sync(chain, chain, plain)
  expect(two.asked).toEqual([[last + 1, chain.height - 6]])
  expect(await dumpIndex(second)).toEqual(await dumpIndex(plain))
  for (const store of [first, second, plain]) await store.close()
})

it('a reorg deeper than the confirmations takes what was recorded with it', { timeout: 60_000 }, async () => {
  const chain = newChain()
  const [store, again, plain] = [await stores.openNew('sqlite'), await stores.openNew('sqlite'), await stores.openNew('sqlite')]
  await sync(chain, record(chain).chain, store)
  await written(chain.height - 6)
  chain.cut(100)
  mineSome(chain, { blocks: 120, seed: 8 })
  await sync(chain, record(chain).chain, store)
  await written(chain.height - 6)
  const two = record(chain)
  await sync(chain, two.chain, again)
  await sync(chain, chain, plain)
  // The piece that the ancestor is in went, too.
  expect(two.asked).toEqual([[0, (pieces().findLast(({ from }) => from > 100)?.from as number) - 1]])
  for (const each of [store, again]) expect(await dumpIndex(each)).toEqual(await dumpIndex(plain))
  for (const each of [store, again, plain]) await each.close()
})

it('what does not fit the index is removed and read of the node, and what a search finds wrong goes with the index', {
  timeout: 60_000,
}, async () => {
  const chain = newChain()
  const [first, store, plain] = [await stores.openNew('sqlite'), await stores.openNew('sqlite'), await stores.openNew('sqlite')]
  await sync(chain, record(chain).chain, first)
  const settled = chain.height - 6
  await written(settled)
  let doubts = 1
  const place = { blockNumber: 9, logIndex: 0, txHash: '0x', timestampSeconds: 0, pool: poolOf(0) } as const
  const witness = {
    open: async () => undefined,
    status: () => undefined,
    meet: () => undefined,
    caught: () => undefined,
    look: () => undefined,
    compareNodes: () => undefined,
    repaired: () => undefined,
    blooms: { check: async () => undefined },
    guard: {
      check: () => {
        doubts -= 1
        if (doubts === 0) throw new Doubted({ event: { ...place, kind: 'swap' }, what: 'fields' }, 1)
        return []
      },
    },
  } as unknown as Witness
  const two = record(chain)
  await sync(chain, two.chain, store, { witness, log: { ...strictLog, warn: () => undefined } })
  await sync(chain, chain, plain)
  expect([two.asked[0]?.[0], two.asked.at(-1)?.[1]]).toEqual([0, settled])
  expect(await dumpIndex(store)).toEqual(await dumpIndex(plain))
  await written(settled)
  // A search finds later that block 120 was wrong.
  const cursor = await findCursor(store.read)
  const scope = {
    factory,
    onlyTokens: undefined,
    valuation: {
      ...{ stables: [tokens[0] as Address, tokens[2] as Address], wrappedNative: tokens[1] as Address, quotes: [] },
      ...{ depthFloorUsdE18: 0n, windowSeconds: 600 },
    },
  }
  const back = await repair(
    {
      ...{ chain: two.chain, store, scope, witness, holder: { world: undefined }, nowMs: () => 0, log: strictLog },
      identity: cursor?.identity as string,
    },
    120,
    cursor?.block as NonNullable<NonNullable<typeof cursor>['block']>,
  )
  expect(back).toMatchObject({ kind: 'rolledBack', repairs: 120 })
  expect(pieces().filter(({ to }) => to >= 120)).toEqual([])
  expect(await listAsideIndexes(store.read)).toEqual([])
  for (const each of [first, store, plain]) await each.close()
})

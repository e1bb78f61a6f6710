import type { Address } from '@chainboard/core'
import { describe, expect, it } from 'vitest'
import { createTempStores, engines } from '../testing/tempStores.ts'
import { deleteConfirmedTokens, insertConfirmedTokens } from './confirmedTokens.ts'
import {
  deleteFeeProtocolsAfter,
  type FeeProtocolChange,
  findFirstFeeProtocol,
  insertFeeProtocols,
  listFeeProtocols,
} from './feeProtocols.ts'
import {
  findScope,
  listLackingNewest,
  markNewestValued,
  markValued,
  putScope,
  readScopeMark,
  setDollars,
  widenScope,
} from './indexScope.ts'
import { deleteChecksAfter, deleteDoubtsOf, insertDoubts, listDoubts, listPoolChecks, upsertPoolChecks } from './poolChecks.ts'
import { deleteSpans, deleteSpansUntil, insertSpans, listSpansAfter } from './poolSpans.ts'
import { emptyPoolState } from './poolState.ts'
import {
  deletePoolsCreatedAfter,
  findCreatedBlock,
  findFirstPoolOf,
  findFirstPoolTime,
  listLivePools,
  listMarketPools,
  listPoolAddresses,
  listPoolsCreatedIn,
  listPoolsCreatedUpTo,
  type Pool,
  upsertPools,
} from './pools.ts'
import { advanceCursor, findCursor, lockCursor, setCursor } from './syncCursor.ts'
import { changeTicks, deleteTicksCreatedAfter, listTicksOf } from './ticks.ts'
import { emptyTokenState } from './tokenState.ts'
import {
  deleteTokensWithoutPool,
  listAllTokenFacts,
  listAllTokens,
  listTokenFacts,
  listTokens,
  listUnconfirmedTokens,
  type TokenRow,
  updateNames,
  updateSupplies,
  upsertTokens,
} from './tokens.ts'

const stores = createTempStores()
const address = (byte: string): Address => `0x${byte.repeat(20)}`
const [a, b, c] = [address('a1'), address('a2'), address('a3')]
const [usdc, weth, dai] = [address('10'), address('50'), address('60')]
const most = 2n ** 256n - 1n

const pool = (own: Address, createdBlock: number, facts: Partial<Pool> = {}): Pool => ({
  ...{ ...emptyPoolState, address: own, token0: usdc, token1: weth, fee: 3_000, tickSpacing: 60, tick: 0 },
  ...{ createdBlock, createdAtSeconds: 10 * createdBlock, firstSwapAtSeconds: undefined, lastSwapAtSeconds: undefined },
  ...{ depth0: 0n, depth1: 0n, reach: undefined },
  ...facts,
})
const token = (own: Address, facts: Partial<TokenRow> = {}): TokenRow => ({
  ...{ ...emptyTokenState, address: own, symbol: 'T', name: 'Token', decimals: 18, totalSupplyRaw: 0n },
  ...facts,
})

describe.each(engines)('pools on %s', (engine) => {
  const full = pool(b, 4, {
    ...{ sqrtPriceX96: 2n ** 160n - 1n, tick: -887_272, liquidity: 2n ** 128n - 1n, tvlUsdE18: most / 10n ** 18n, txCount: 7 },
    ...{ reserve0: -5n, reserve1: 2n ** 200n, collected0: 1n, collected1: 2n, collectedUsdE18: 3n },
    ...{
      feeGrowth0: most,
      feeGrowth1: undefined,
      totalVolume0: 4n,
      totalVolume1: 5n,
      totalVolumeUsdE18: 6n,
      totalFeesUsdE18: 7n,
    },
    ...{ firstSwapAtSeconds: 50, lastSwapAtSeconds: 60, depth0: 8n, depth1: 9n, reach: { depth0: 10n, depth1: 11n } },
  })
  const filled = async () => {
    const store = await stores.openNew(engine)
    await store.write((tx) => upsertPools(tx, [pool(c, 9, { token0: dai }), full, pool(a, 4, { tick: undefined })]))
    return store
  }

  it('are read back with every digit, and for a market without what they did', async () => {
    const { read } = await filled()
    expect(await listLivePools(read)).toEqual([full, pool(c, 9, { token0: dai })])
    expect((await listMarketPools(read))[0]).toEqual({
      ...{
        address: b,
        token0: usdc,
        token1: weth,
        fee: 3_000,
        sqrtPriceX96: 2n ** 160n - 1n,
        reserve0: -5n,
        reserve1: 2n ** 200n,
      },
      ...{ firstSwapAtSeconds: 50, lastSwapAtSeconds: 60, depth0: 8n, depth1: 9n, reach: { depth0: 10n, depth1: 11n } },
    })
    expect((await listPoolAddresses(read)).sort()).toEqual([a, b, c])
    expect(await findFirstPoolTime(read)).toBe(40)
  })

  it('of a big exchange are all there, and so are its tokens, in order, and others have their turn while they are read', async () => {
    const store = await stores.openNew(engine)
    // Five pages, the last of them with one pool.
    const addresses = Array.from({ length: 801 }, (_, i) => `0x${(i + 1).toString(16).padStart(40, '0')}` as const)
    await store.write(async (tx) => {
      await upsertPools(
        tx,
        addresses.map((own) => pool(own, 4)),
      )
      await upsertTokens(
        tx,
        addresses.map((own) => token(own)),
      )
    })
    for (const list of [listLivePools, listMarketPools, listAllTokenFacts]) {
      let turns = 0
      setImmediate(() => {
        turns += 1
      })
      const found = await list(store.read)
      expect(turns).toBe(1)
      expect(found.map(({ address }) => address)).toEqual(addresses)
    }
  })

  it('are those made in a span of blocks, opened or not', async () => {
    const { read } = await filled()
    const names = (pools: readonly Pool[]) => pools.map((each) => each.address)
    expect(names(await listPoolsCreatedUpTo(read, 4))).toEqual([a, b])
    expect(names(await listPoolsCreatedUpTo(read, 3))).toEqual([])
    expect(names(await listPoolsCreatedIn(read, 3, 9))).toEqual([a, b, c])
    expect(names(await listPoolsCreatedIn(read, 4, 9))).toEqual([c])
    expect([await findCreatedBlock(read, c), await findCreatedBlock(read, usdc)]).toEqual([9, undefined])
  })

  it('say where a token was first in one, on either side', async () => {
    const { read } = await filled()
    expect(await findFirstPoolOf(read, [dai])).toBe(9)
    expect(await findFirstPoolOf(read, [dai, weth])).toBe(4)
    expect(await findFirstPoolOf(read, [a])).toBeUndefined()
    expect(await findFirstPoolOf(read, [])).toBeUndefined()
    // More tokens than one statement takes.
    expect(await findFirstPoolOf(read, [...Array(150).fill(a), dai])).toBe(9)
  })

  it('change in what moves, and stay what they were made as', async () => {
    const store = await filled()
    const moved = { liquidity: 1n, lastSwapAtSeconds: 99, reach: undefined, txCount: 8 }
    await store.write((tx) => upsertPools(tx, [{ ...full, ...moved, fee: 500, createdBlock: 1, token0: dai }]))
    expect((await listLivePools(store.read))[0]).toEqual({ ...full, ...moved })
  })

  it('of a dead branch go, with tokens that nobody has any more', async () => {
    const store = await filled()
    await store.write(async (tx) => {
      await upsertTokens(tx, [token(usdc), token(weth), token(dai)])
      await insertConfirmedTokens(tx, [dai, weth])
      await deletePoolsCreatedAfter(tx, 4)
      await deleteTokensWithoutPool(tx)
    })
    expect((await listPoolAddresses(store.read)).sort()).toEqual([a, b])
    expect((await listAllTokens(store.read)).map((each) => each.address)).toEqual([usdc, weth])
    const confirmed = await store.read.selectFrom('confirmed_tokens').select('token').execute()
    expect(confirmed).toEqual([{ token: weth }])
  })
})

describe.each(engines)('tokens on %s', (engine) => {
  const full = token(weth, {
    ...{ symbol: 'W\'"\\', name: 'Обёрнутый 🎈', decimals: undefined, totalSupplyRaw: most, reserve: -1n, txCount: 3 },
    ...{ priceUsdE18: 10n ** 60n, totalVolume: 4n, totalVolumeUsdE18: 5n, totalFeesUsdE18: 6n },
  })

  it('are read back with every letter and digit, all of them or those asked for', async () => {
    const store = await stores.openNew(engine)
    await store.write((tx) => upsertTokens(tx, [full, token(usdc, { decimals: 0 })]))
    expect(await listAllTokens(store.read)).toEqual([token(usdc, { decimals: 0 }), full])
    expect(await listTokens(store.read, [weth, dai])).toEqual([full])
    expect(await listTokens(store.read, [])).toEqual([])
  })

  it('come in pages from an address on, also those alone that were not read a second time', async () => {
    const store = await stores.openNew(engine)
    await store.write(async (tx) => {
      await upsertTokens(tx, [token(usdc), token(weth), token(dai)])
      await insertConfirmedTokens(tx, [weth])
      await insertConfirmedTokens(tx, [weth])
    })
    const names = (tokens: readonly { readonly address: Address }[]) => tokens.map((each) => each.address)
    expect(names(await listTokenFacts(store.read, { limit: 2 }))).toEqual([usdc, weth])
    expect(names(await listTokenFacts(store.read, { from: weth, limit: 9 }))).toEqual([weth, dai])
    expect(names(await listUnconfirmedTokens(store.read, { limit: 9 }))).toEqual([usdc, dai])
    await store.write((tx) => deleteConfirmedTokens(tx, [weth, usdc]))
    expect(names(await listUnconfirmedTokens(store.read, { from: weth, limit: 9 }))).toEqual([weth, dai])
  })

  it('change in their state with events, in their name and supply by themselves', async () => {
    const store = await stores.openNew(engine)
    await store.write((tx) => upsertTokens(tx, [full]))
    await store.write((tx) =>
      upsertTokens(tx, [{ ...full, symbol: 'X', decimals: 8, totalSupplyRaw: 1n, priceUsdE18: 2n, txCount: 4 }]),
    )
    expect(await listAllTokens(store.read)).toEqual([{ ...full, priceUsdE18: 2n, txCount: 4 }])
    await store.write(async (tx) => {
      await updateNames(tx, [{ address: weth, symbol: 'WETH', name: 'Wrapped', decimals: 18 }])
      await updateSupplies(tx, [{ address: weth, totalSupplyRaw: 10n ** 77n }])
      await updateSupplies(tx, [{ address: dai, totalSupplyRaw: 1n }])
    })
    const named = { symbol: 'WETH', name: 'Wrapped', decimals: 18, totalSupplyRaw: 10n ** 77n }
    expect(await listAllTokens(store.read)).toEqual([{ ...full, priceUsdE18: 2n, txCount: 4, ...named }])
  })
})

describe.each(engines)('ticks on %s', (engine) => {
  const at = (own: Address, tick: number, gross: bigint, net: bigint, blockNumber: number) => ({
    ...{ pool: own, tick, gross, net, blockNumber, timestampSeconds: 10 * blockNumber },
  })

  it('sum up what events changed, begin with the first of them, and stay with zeros', async () => {
    const store = await stores.openNew(engine)
    await store.write((tx) => changeTicks(tx, [at(a, -60, 5n, 5n, 3), at(a, 60, 5n, -5n, 3), at(b, 60, most, -most, 3)]))
    await store.write((tx) => changeTicks(tx, [at(a, -60, 2n, 2n, 4), at(a, 60, -5n, 5n, 4), at(a, 0, 1n, 1n, 4)]))
    const found = await listTicksOf(store.read, [a])
    expect(found.toSorted((one, other) => one.tick - other.tick)).toEqual([
      { pool: a, tick: -60, gross: 7n, net: 7n },
      { pool: a, tick: 0, gross: 1n, net: 1n },
      { pool: a, tick: 60, gross: 0n, net: 0n },
    ])
    expect(await listTicksOf(store.read, [b])).toEqual([{ pool: b, tick: 60, gross: most, net: -most }])
    await store.write((tx) => deleteTicksCreatedAfter(tx, 3))
    expect((await listTicksOf(store.read, [a])).map(({ tick }) => tick).sort((one, other) => one - other)).toEqual([-60, 60])
  })
})

describe.each(engines)('what an index holds on %s', (engine) => {
  const names = (tokens: ReadonlySet<Address> | undefined) => tokens && [...tokens].sort()

  it('is every pool, or those of some tokens, to which more may be added', async () => {
    const store = await stores.openNew(engine)
    expect(await findScope(store.read)).toBeUndefined()
    await store.write((tx) => putScope(tx, { dollars: 'usdc', tokens: new Set([a]) }))
    await store.write((tx) => widenScope(tx, new Set([a, b, c])))
    const wide = await findScope(store.read)
    expect([names(wide?.tokens), names(wide?.unvalued), names(wide?.newestValued)]).toEqual([[a, b, c], [b, c], []])
    await store.write((tx) => widenScope(tx, undefined))
    expect(await findScope(store.read)).toEqual({
      ...{ dollars: 'usdc', tokens: undefined, unvalued: new Set(), newestValued: new Set() },
    })
    await store.write((tx) => putScope(tx, { dollars: 'dai', tokens: undefined }))
    expect((await findScope(store.read))?.dollars).toBe('dai')
  })

  it('is valued for added tokens in two steps: the newest blocks, then all', async () => {
    const store = await stores.openNew(engine)
    await store.write(async (tx) => {
      await putScope(tx, { dollars: 'usdc', tokens: new Set([a]) })
      await widenScope(tx, new Set([b, c]))
      await markNewestValued(tx, [a, b])
    })
    expect(await listLackingNewest(store.read)).toEqual([c])
    const half = await findScope(store.read)
    // The first one was valued from the beginning, and stays so.
    expect([names(half?.unvalued), names(half?.newestValued)]).toEqual([[b, c], [b]])
    await store.write((tx) => markValued(tx))
    expect([names((await findScope(store.read))?.unvalued), await listLackingNewest(store.read)]).toEqual([[], []])
  })

  it('has another mark after every change, and the same one without', async () => {
    const store = await stores.openNew(engine)
    const marks = [await readScopeMark(store.read)]
    for (const change of [
      (tx) => putScope(tx, { dollars: 'usdc', tokens: new Set([a]) }),
      (tx) => widenScope(tx, new Set([b, c])),
      (tx) => markNewestValued(tx, [b]),
      (tx) => markNewestValued(tx, [c]),
      (tx) => markValued(tx),
      (tx) => setDollars(tx, 'dai'),
      (tx) => widenScope(tx, undefined),
    ] satisfies Parameters<typeof store.write>[0][]) {
      await store.write(change)
      marks.push(await readScopeMark(store.read))
      expect(await readScopeMark(store.read)).toBe(marks.at(-1))
    }
    expect(new Set(marks).size).toBe(8)
  })
})

describe.each(engines)('checks and doubts on %s', (engine) => {
  it('are one check for a pool, and one doubt for a pool and block, of which the first stays', async () => {
    const store = await stores.openNew(engine)
    const doubt = (own: Address, blockNumber: number, sinceSeconds: number, what = 'price') => ({
      ...{ pool: own, blockNumber, what, sinceSeconds },
    })
    await store.write(async (tx) => {
      await upsertPoolChecks(tx, [{ pool: a, blockNumber: 5, atSeconds: 50 }])
      await upsertPoolChecks(tx, [{ pool: a, blockNumber: 6, atSeconds: 60 }])
      await insertDoubts(tx, [doubt(b, 7, 70), doubt(a, 3, 30, 'liquidity')])
      await insertDoubts(tx, [doubt(b, 7, 99, 'other'), doubt(b, 8, 80)])
    })
    expect(await listPoolChecks(store.read)).toEqual([{ pool: a, blockNumber: 6, atSeconds: 60 }])
    expect(await listDoubts(store.read, 2)).toEqual([doubt(a, 3, 30, 'liquidity'), doubt(b, 7, 70)])
    await store.write((tx) => deleteDoubtsOf(tx, [a, b], ['liquidity']))
    expect(await listDoubts(store.read, 9)).toEqual([doubt(b, 7, 70), doubt(b, 8, 80)])
    await store.write((tx) => deleteChecksAfter(tx, 7))
    expect(await listDoubts(store.read, 9)).toEqual([doubt(b, 7, 70)])
    expect(await listPoolChecks(store.read)).toHaveLength(1)
    await store.write((tx) => deleteDoubtsOf(tx, [b]))
    expect(await listDoubts(store.read, 9)).toEqual([])
  })
})

describe.each(engines)('the protocol share of fees on %s', (engine) => {
  it('is reported in the order of the chain, and goes with a dead branch', async () => {
    const store = await stores.openNew(engine)
    const change = (blockNumber: number, logIndex: number, own: Address): FeeProtocolChange => ({
      ...{ kind: 'setFeeProtocol', blockNumber, logIndex, pool: own, timestampSeconds: 10 * blockNumber, feeProtocol: 0x44 },
    })
    await store.write((tx) => insertFeeProtocols(tx, [change(7, 1, a), change(7, 0, b), change(5, 3, a)]))
    expect(await listFeeProtocols(store.read, 7)).toEqual([change(5, 3, a), change(7, 0, b), change(7, 1, a)])
    expect(await listFeeProtocols(store.read, 6)).toEqual([change(5, 3, a)])
    expect([await findFirstFeeProtocol(store.read, a), await findFirstFeeProtocol(store.read, c)]).toEqual([5, undefined])
    await store.write((tx) => deleteFeeProtocolsAfter(tx, 5))
    expect(await findFirstFeeProtocol(store.read, b)).toBeUndefined()
  })
})

describe.each(engines)('spans of pools on %s', (engine) => {
  it('are listed by pool, ascending, from a moment on; one that is there stays as it is', async () => {
    const store = await stores.openNew(engine)
    const span = (own: Address, untilSeconds: number, depth0 = 1n) => ({
      ...{ pool: own, fromSeconds: untilSeconds - 12, untilSeconds, sqrtPriceX96: 2n ** 160n - 1n, depth0, depth1: most },
    })
    await store.write((tx) => insertSpans(tx, [span(a, 124), span(a, 112), span(b, 112)]))
    await store.write((tx) => insertSpans(tx, [span(a, 112, 99n), span(a, 136)]))
    expect(await listSpansAfter(store.read, 111)).toEqual(
      new Map([
        [a, [span(a, 112), span(a, 124), span(a, 136)]],
        [b, [span(b, 112)]],
      ]),
    )
    await store.write((tx) => deleteSpansUntil(tx, 124))
    expect(await listSpansAfter(store.read, 0)).toEqual(new Map([[a, [span(a, 136)]]]))
    await store.write((tx) => deleteSpans(tx))
    expect(await listSpansAfter(store.read, 0)).toEqual(new Map())
  })
})

describe.each(engines)('the cursor on %s', (engine) => {
  const [first, second] = [7, 8].map((number) => ({ number, hash: `0x0${number}` as const, timestampSeconds: 10 * number }))

  it('moves on from where its writer believes it to be, and from nowhere else', async () => {
    const store = await stores.openNew(engine)
    expect(await findCursor(store.read)).toBeUndefined()
    await store.write((tx) => setCursor(tx, { identity: 'mine', block: undefined }))
    expect(await findCursor(store.read)).toEqual({ identity: 'mine', block: undefined })
    const move = (facts: { identity?: string; from: typeof first | undefined; to: typeof first }) =>
      store.write((tx) => advanceCursor(tx, { identity: 'mine', ...facts } as Parameters<typeof advanceCursor>[1]))
    if (!first || !second) throw new Error('two blocks')
    expect(await move({ from: second, to: second })).toBe(false)
    expect(await move({ identity: 'another', from: undefined, to: first })).toBe(false)
    expect(await move({ from: undefined, to: first })).toBe(true)
    expect(await move({ from: undefined, to: second })).toBe(false)
    expect(await move({ from: first, to: second })).toBe(true)
    expect(await findCursor(store.read)).toEqual({ identity: 'mine', block: second })
  })

  it('can be held before there is one, and is none of any index then', async () => {
    const store = await stores.openNew(engine)
    await store.write((tx) => lockCursor(tx))
    expect(await findCursor(store.read)).toEqual({ identity: '', block: undefined })
    await store.write((tx) => setCursor(tx, { identity: 'mine', block: first }))
    await store.write((tx) => lockCursor(tx))
    expect(await findCursor(store.read)).toEqual({ identity: 'mine', block: first })
  })
})

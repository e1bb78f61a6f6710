import type { Address } from '@chainboard/core'
import { beforeAll, expect, it } from 'vitest'
import { toValuation } from '../../../networkFile.ts'
import { type IndexReader, wholeIndex } from '../../../store/indexSwitch.ts'
import type { Store } from '../../../store/store.ts'
import { followToHead } from '../../../testing/followToHead.ts'
import { alpha, beta, listed, lone, networkFile, thin, usdc } from '../../../testing/market.ts'
import { tellDay } from '../../../testing/tellDay.ts'
import { createTempStores } from '../../../testing/tempStores.ts'
import type { Hold } from '../../liveList.ts'
import type { SourceAnswer } from '../../source.ts'
import { toTokenList } from '../../tokenList.ts'
import { createIndexSource, type IndexSourceOptions } from './indexSource.ts'

// Tokens that are being added to an index: what is said of them by the pools that are there.

const stores = createTempStores()
let store: Store
beforeAll(async () => {
  store = await stores.openNew('sqlite')
  await followToHead(tellDay(), store)
})

const beingRead = { kind: 'unpriced', reasons: ['The server is still reading the pools of this token'] }

type Asked = Partial<IndexSourceOptions> & { readonly index?: IndexReader; readonly holds?: ReadonlyMap<Address, Hold> }

async function ask({ index = wholeIndex(store), holds, ...options }: Asked = {}) {
  const holdOf = holds && ((token: Address) => holds.get(token) ?? 'all')
  const source = createIndexSource(index, { ...toValuation(networkFile), ...options, ...(holdOf && { holdOf }) })
  const { answers } = await source.read(toTokenList(listed, []).tokens)
  return (token: Address) => answers.get(token) as SourceAnswer
}

it('a token whose pools with quotes are there has all that follows from them, and no volume', async () => {
  const [whole, added] = [await ask(), await ask({ holds: new Map([[alpha, 'quotes']]) })]
  const answer = whole(alpha)
  expect(answer).toMatchObject({ kind: 'quoted', quote: { usdE18: 25n * 10n ** 18n, volume24hUsdE18: 100n * 10n ** 18n } })
  if (answer.kind !== 'quoted') throw new Error('no quote')
  // Nor is it known when it first traded: that may have been in a pool that is not here.
  const unknown = { firstTradeAtSeconds: undefined, quote: { ...answer.quote, volume24hUsdE18: undefined } }
  expect(added(alpha)).toEqual({ ...answer, ...unknown })
  expect(added(beta)).toEqual(whole(beta))
})

it('a token of which nothing can be said yet has no price, and the others have theirs', async () => {
  const [whole, added] = [await ask(), await ask({ holds: new Map([[alpha, 'none']]) })]
  expect(added(alpha)).toMatchObject(beingRead)
  expect(added(beta)).toEqual(whole(beta))
})

it('a token that only pools in unnamed tokens price has no price before all of its pools are there', async () => {
  // The coin that ALPHA trades against is no quote of such a network.
  const unnamed = { wrappedNative: lone }
  expect((await ask(unnamed))(alpha)).toMatchObject({ kind: 'quoted' })
  expect((await ask({ ...unnamed, holds: new Map([[alpha, 'quotes']]) }))(alpha)).toMatchObject(beingRead)
  expect((await ask({ ...unnamed, holds: new Map([[alpha, 'newest']]) }))(alpha)).toMatchObject({ kind: 'quoted' })
})

it('neither that a token has too thin pools nor that it has none is said before all of them are there', async () => {
  const holds = new Map<Address, Hold>([
    [thin, 'quotes'],
    [lone, 'quotes'],
  ])
  const [whole, added] = [await ask({ depthFloorUsdE18: 10n ** 21n }), await ask({ depthFloorUsdE18: 10n ** 21n, holds })]
  expect(whole(thin)).toMatchObject({ kind: 'unpriced', reasons: [expect.stringContaining('Too thin')] })
  expect(whole(lone)).toMatchObject({ reasons: ['No pool on the chain trades this token'] })
  for (const token of [thin, lone]) expect(added(token)).toMatchObject(beingRead)
})

it('an index of the newest blocks says nothing of a token that was added after it was begun', async () => {
  const few = await stores.openNew('sqlite')
  await followToHead(tellDay(), few)
  await few.write(async (tx) => {
    await tx.updateTable('index_scope').set({ all_pools: 0 }).execute()
    await tx.insertInto('scope_tokens').values({ token: usdc, is_valued: 1 }).execute()
  })
  const index: IndexReader = { use: (work) => work({ store: few, sinceSeconds: 1_600_000_000 }) }
  const answer = await ask({ index, holds: new Map([[alpha, 'quotes']]) })
  expect(answer(alpha)).toMatchObject(beingRead)
  expect(answer(usdc)).toMatchObject({ kind: 'quoted' })
})

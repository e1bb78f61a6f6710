import { type Address, Failure, parseAddress } from '@chainboard/core'
import { widenScope } from '../store/indexScope.ts'
import { askAgain } from '../store/oldDollars.ts'
import { copyPools, countPoolEvents } from '../store/poolRows.ts'
import { listPoolAddresses } from '../store/pools.ts'
import type { Db, Store, Tx } from '../store/store.ts'
import { type BlockRef, findCursor, lockCursor } from '../store/syncCursor.ts'
import { emptyTokenState } from '../store/tokenState.ts'
import { listTokens, upsertTokens } from '../store/tokens.ts'
import { forgetWorld, type WorldHolder } from './worldHolder.ts'

/** Events of one transaction, unless one pool has more: others write in between. */
const eventsAtOnceMax = 20_000
/** Pools of one transaction. */
const poolsAtOnce = 500

export type Join = {
  readonly main: Store
  readonly holder: WorldHolder
  /** An index of pools that the main one lacks, in a file of its own: it ends with the same block, and nobody writes it. */
  readonly side: Db
  /** The last block of both. */
  readonly last: BlockRef
  /** Tokens whose pools are all in the main index then; undefined: every pool is. */
  readonly tokens: ReadonlySet<Address> | undefined
  readonly eventsAtOnce?: number | undefined
  /** After each transaction. */
  readonly onJoined: () => void
}

/**
 * Adds the pools of one index to another, whole pools in each transaction: whatever ends it, pools that are in are followed from then on,
 * and the next call adds the others. Blocks since their first event are to be valued again. The tokens' totals are right then, too.
 * @throws Failure of a store, and `store-in-use` when the main index does not end with that block any more
 */
export async function joinIndex({
  main,
  holder,
  side,
  last,
  tokens,
  onJoined,
  eventsAtOnce = eventsAtOnceMax,
}: Join): Promise<void> {
  const known = new Set(await listPoolAddresses(main.read))
  const groups = toGroups(await countPoolEvents(side), { known, eventsAtOnce })
  const write = (work: (tx: Tx) => Promise<void>) =>
    main
      .write(async (tx) => {
        await lockCursor(tx)
        if ((await findCursor(tx))?.block?.hash !== last.hash)
          throw new Failure('store-in-use', 'The index has moved while pools were added to it', { retryable: true })
        holder.past = undefined
        forgetWorld(holder)
        await work(tx)
      })
      // Pools take seconds to copy: a world that was read meanwhile lacks them. Also when the answer of the commit was lost.
      .finally(() => forgetWorld(holder))
  for (const pools of groups) {
    await write(async (tx) => {
      const first = await copyPools(side, tx, pools)
      await addTokens(side, tx, pools)
      if (first !== undefined) await askAgain(tx, first, last.number)
    })
    onJoined()
  }
  await write((tx) => widenScope(tx, tokens))
  onJoined()
}

type Grouping = { readonly known: ReadonlySet<Address>; readonly eventsAtOnce: number }

function toGroups(counts: ReadonlyMap<Address, number>, { known, eventsAtOnce }: Grouping): Address[][] {
  const groups: Address[][] = []
  let events = 0
  for (const [pool, count] of counts) {
    if (known.has(pool)) continue
    const group = groups.at(-1)
    if (group && group.length < poolsAtOnce && events + count <= eventsAtOnce) {
      group.push(pool)
      events += count
    } else {
      groups.push([pool])
      events = count
    }
  }
  return groups
}

/** Tokens that the main index does not have, as they are before their first event: what follows is valued again. */
async function addTokens(side: Db, tx: Tx, pools: readonly Address[]): Promise<void> {
  const rows = await side.selectFrom('pools').select(['token0', 'token1']).where('address', 'in', pools).execute()
  const sides = [...new Set(rows.flatMap(({ token0, token1 }) => [token0, token1].flatMap((text) => parseAddress(text) ?? [])))]
  const known = new Set((await listTokens(tx, sides)).map(({ address }) => address))
  const added = await listTokens(
    side,
    sides.filter((token) => !known.has(token)),
  )
  await upsertTokens(
    tx,
    added.map((token) => ({ ...token, ...emptyTokenState })),
  )
}

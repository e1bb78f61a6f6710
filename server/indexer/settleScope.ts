import { type Address, defaultWindowSeconds } from '@chainboard/core'
import { findScope, putScope, setDollars, type WholeScope } from '../store/indexScope.ts'
import { askAgain } from '../store/oldDollars.ts'
import { deleteSpans } from '../store/poolSpans.ts'
import type { Store, Tx } from '../store/store.ts'
import { type BlockRef, findCursor, lockCursor } from '../store/syncCursor.ts'
import type { IndexScope } from './indexScope.ts'
import { openWorld } from './openWorld.ts'
import { pickSpans, storeSpans } from './storeWorld.ts'
import type { Valuation } from './world.ts'

/** The settings of dollars as a text: equal ones give equal dollars. Migration 0015 has taken it out of the names of indexes. */
export function describeDollars({ stables, wrappedNative, quotes, depthFloorUsdE18, windowSeconds }: Valuation): string {
  // Indexes made before there was a window have none in their text, nor further quotes.
  const window = windowSeconds === defaultWindowSeconds ? [] : [windowSeconds]
  const named = new Set(quotes.filter((token) => token !== wrappedNative && !stables.includes(token)))
  const further = named.size === 0 ? [] : [[...named].sort().join('+')]
  return [stables.join('+'), wrappedNative, depthFloorUsdE18, ...window, ...further].join('/')
}

/** What an index that begins now holds. */
export function toStoredScope({ onlyTokens, valuation }: IndexScope): WholeScope {
  return { dollars: describeDollars(valuation), tokens: onlyTokens }
}

type Deps = {
  readonly store: Store
  /** What the configuration wants. */
  readonly scope: IndexScope
  readonly log: { warn(facts: object, text: string): void }
}

/**
 * Fits the stored index to the configuration without reading anything of the chain again: where the dollars are by other settings, all
 * blocks are to be valued again. An index without a block takes the whole scope.
 * @returns the scope by which the chain is followed: with the tokens whose pools the index has, whatever the configuration lists
 */
export async function settleScope({ store, scope, log }: Deps, identity: string): Promise<IndexScope> {
  // Most starts change nothing, and write nothing.
  const found = await store.readConsistently((tx) => findChange(tx, scope, identity))
  if (found.change === 'none') return { ...scope, onlyTokens: found.tokens }
  const { tokens, from } = await store.write(async (tx) => {
    await lockCursor(tx)
    const now = await findChange(tx, scope, identity)
    if (now.change === 'all') await putScope(tx, toStoredScope(scope))
    return { ...now, from: now.change === 'dollars' ? await changeDollars(tx, scope.valuation, now.last) : undefined }
  })
  if (from !== undefined) log.warn({}, `The US dollar settings have changed: ${describeAgain(from)}`)
  return { ...scope, onlyTokens: tokens }
}

/** `tokens`: whose pools the index has then. */
type Change = { readonly tokens: ReadonlySet<Address> | undefined } & (
  | { readonly change: 'none' | 'all' }
  | { readonly change: 'dollars'; readonly last: BlockRef }
)

/** Every index has a scope from the transaction on that begins it. */
class MissingScope extends Error {}

async function findChange(tx: Tx, scope: IndexScope, identity: string): Promise<Change> {
  const cursor = await findCursor(tx)
  const stored = await findScope(tx)
  const isSame = stored?.dollars === describeDollars(scope.valuation)
  if (cursor?.identity !== identity) return { change: 'none', tokens: scope.onlyTokens }
  if (!cursor.block) {
    const isListed = describeTokens(stored?.tokens) === describeTokens(scope.onlyTokens)
    return { change: stored && isSame && isListed ? 'none' : 'all', tokens: scope.onlyTokens }
  }
  if (!stored) throw new MissingScope(`the index ${identity} has no scope`)
  return isSame ? { change: 'none', tokens: stored.tokens } : { change: 'dollars', tokens: stored.tokens, last: cursor.block }
}

/** Equal texts for equal sets of tokens, and one of its own for all. */
export function describeTokens(tokens: ReadonlySet<Address> | undefined): string {
  return tokens ? [...tokens].sort().join() : 'all'
}

function describeAgain(from: number): string {
  if (from === 0) return 'the server revalues all blocks from the index'
  return `the server revalues blocks from ${from} on. Events of earlier blocks are no longer kept`
}

/** @returns the first block that is to be valued again */
async function changeDollars(tx: Tx, valuation: Valuation, last: BlockRef): Promise<number> {
  await setDollars(tx, describeDollars(valuation))
  const from = await askAgain(tx, 0, last.number)
  // The window may be a longer one: prices of now are medians over it.
  const { world } = await openWorld(tx, last.number, valuation)
  await deleteSpans(tx)
  await storeSpans(tx, pickSpans(world, { pools: world.windows.keys(), first: { timestampSeconds: 0 }, last }))
  return from
}

/** Whether a pool of these tokens belongs to the index. */
export function wantsPool(
  { onlyTokens, exceptTokens }: Pick<IndexScope, 'onlyTokens' | 'exceptTokens'>,
  token0: Address,
  token1: Address,
): boolean {
  const isWanted = !onlyTokens || onlyTokens.has(token0) || onlyTokens.has(token1)
  return isWanted && !exceptTokens?.has(token0) && !exceptTokens?.has(token1)
}

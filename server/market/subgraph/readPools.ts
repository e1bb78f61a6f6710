import { type Address, Failure } from '@chainboard/core'
import { type PoolRow, poolFields, readPoolRows } from './poolRow.ts'
import { readSelections, rowsPerPageMax, type Selection, toSlices } from './readSelections.ts'
import type { SubgraphClient } from './subgraphClient.ts'

const pagesMax = 10
/** Rows of all lists together. What an exchange has more of fits no snapshot. */
const rowsMax = 50_000
/** Five such lists in one question stay under 64 KB, the longest that some servers read. */
const tokensPerFilter = 200

/** `any`: at least one side is a known token; `both`: pools between two known tokens only. */
export type PoolScope = 'any' | 'both'

export type PoolsRequest = { readonly known: readonly Address[]; readonly scope: PoolScope; readonly atBlockNumber: number }

/**
 * Pools of known tokens: the listed ones, the stable ones and the wrapped native.
 * @returns undefined when, of the scope `any`, 200 tokens have more than 10,000 pools on one side, or all together more than
 *   50,000 on both: such an exchange is read by `both`
 * @throws Failure `upstream-invalid` when there are more than that of the scope `both`; else as the client does
 */
export async function readPools(
  client: SubgraphClient,
  { known, scope, atBlockNumber }: PoolsRequest,
): Promise<PoolRow[] | undefined> {
  const slices = toSlices(known, tokensPerFilter)
  const filters: Selection['where'][] =
    scope === 'both'
      ? slices.flatMap((token0_in) => slices.map((token1_in) => ({ token0_in, token1_in })))
      : [...slices.map((token0_in) => ({ token0_in })), ...slices.map((token1_in) => ({ token1_in }))]
  const selections = filters.map((where): Selection => ({ entity: 'pools', where, fields: poolFields }))
  const selected = await readSelections(client, selections, { atBlockNumber, pagesMax, rowsMax })
  if (selected.some(({ whole }) => !whole)) {
    if (scope === 'any') return undefined
    const limits = `${pagesMax * rowsPerPageMax} pools of ${tokensPerFilter} listed tokens, or ${rowsMax} of all`
    throw new Failure('upstream-invalid', `The subgraph has more than ${limits}`)
  }
  const pools = readPoolRows(selected.flatMap(({ rows }) => rows))
  // A pool between two known tokens is in both series.
  return [...new Map(pools.map((pool) => [pool.address, pool])).values()]
}

import type { Address } from '@chainboard/core'
import type { ChainLog } from '../chain/chain.ts'
import { type FeeProtocolChange, listFeeProtocols } from '../store/feeProtocols.ts'
import { listPoolEventsIn, type PoolEvent } from '../store/poolEvents.ts'
import type { Db } from '../store/store.ts'
import { type BlockSpan, listSwapsIn, type Swap } from '../store/swaps.ts'
import { timedText } from './eventText.ts'

export type AnyEvent = Swap | PoolEvent | FeeProtocolChange

/** What an index keeps of logs. */
export type Keeping = {
  readonly factory: Address
  /** Whether a pool of these tokens belongs into the index. */
  readonly wants: (token0: Address, token1: Address) => boolean
  /** A pool's event from a log; undefined for any other log. */
  readonly decode: (log: ChainLog) => AnyEvent | undefined
  /** A factory's new pool from a log; undefined for any other log. */
  readonly decodeCreation: (log: ChainLog) => Creation | undefined
}

/** A pool as its factory made it. */
export type PoolFacts = {
  readonly pool: string
  readonly token0: string
  readonly token1: string
  readonly fee: number
  readonly tickSpacing: number
}
export type Creation = PoolFacts & {
  readonly factory: Address
  readonly pool: Address
  readonly token0: Address
  readonly token1: Address
}

/** Events of any pool and creations, each as one line of text with its block and its time at the end: two sides are equal when their lines are. */
export type Lines = ReadonlyMap<string, number>

/** Events of the span's blocks in the index, in the order of the chain. */
export async function listEventsIn(read: Db, span: BlockSpan): Promise<AnyEvent[]> {
  const isIn = ({ pool, blockNumber }: AnyEvent) => blockNumber >= span.fromBlock && (!span.pool || pool === span.pool)
  const shares = (await listFeeProtocols(read, span.toBlock)).filter(isIn)
  const rows = [...(await listSwapsIn(read, span)), ...(await listPoolEventsIn(read, span)), ...shares]
  return rows.sort((a, b) => a.blockNumber - b.blockNumber || a.logIndex - b.logIndex)
}

/** All that the index has of the span's blocks. */
export async function listLines(read: Db, span: BlockSpan): Promise<Map<string, number>> {
  const created = await read
    .selectFrom('pools')
    .select(['address as pool', 'token0', 'token1', 'fee', 'tick_spacing as tickSpacing', 'created_block', 'created_timestamp'])
    .where('created_block', '>=', span.fromBlock)
    .where('created_block', '<=', span.toBlock)
    .execute()
  const events = await listEventsIn(read, span)
  return new Map([
    ...created.map((row) => [creationText(row.created_block, row, row.created_timestamp), row.created_block] as const),
    ...events.map((event) => [timedText(event), event.blockNumber] as const),
  ])
}

/** The block at which a pool of the index was made; undefined for any other contract. */
export type CreatedBlockOf = (pool: Address) => number | undefined

/** What an index would keep of these logs, which are in the order of the chain. */
export function toLines(keeping: Keeping, logs: readonly ChainLog[], createdBlockOf: CreatedBlockOf): Map<string, number> {
  const made = new Map<Address, number>()
  const creations: [string, number][] = []
  let events: AnyEvent[] = []
  for (const log of logs) {
    const creation = keeping.decodeCreation(log)
    const event = creation ? undefined : keeping.decode(log)
    if (event) events.push(event)
    if (!creation || creation.factory !== keeping.factory || !keeping.wants(creation.token0, creation.token1)) continue
    made.set(creation.pool, log.blockNumber)
    creations.push([creationText(log.blockNumber, creation, log.timestampSeconds), log.blockNumber])
    // A pool's events follow its creation: whatever came from that address before is none of its own.
    events = events.filter(({ pool }) => pool !== creation.pool)
  }
  const ours = events.filter(
    ({ pool, blockNumber }) => blockNumber >= (made.get(pool) ?? createdBlockOf(pool) ?? Number.POSITIVE_INFINITY),
  )
  return new Map([...creations, ...ours.map((event) => [timedText(event), event.blockNumber] as const)])
}

/** What a pool is, in words; it begins with `created` and its address. */
export function poolText({ pool, token0, token1, fee, tickSpacing }: PoolFacts): string {
  return ['created', pool, token0, token1, fee, tickSpacing].join(' ')
}

function creationText(block: number, facts: PoolFacts, timestampSeconds: number): string {
  return `${block} ${poolText(facts)} ${timestampSeconds}`
}

/** The time of each block, by its lines. */
export function timesOf(lines: Lines): Map<number, number> {
  return new Map([...lines].map(([text, block]) => [block, Number(text.slice(text.lastIndexOf(' ') + 1))]))
}

/** The lines without the times at their ends. */
export function withoutTimes(lines: Lines): Map<string, number> {
  return new Map([...lines].map(([text, block]) => [text.slice(0, text.lastIndexOf(' ')), block]))
}

/** Blocks at which two sides are not the same, ascending. */
export function listDifferingBlocks(a: Lines, b: Lines): number[] {
  const open = [...[...a].filter(([text]) => !b.has(text)), ...[...b].filter(([text]) => !a.has(text))]
  return [...new Set(open.map(([, block]) => block))].sort((x, y) => x - y)
}

/** Whether two sides have the same lines, times included. */
export function isSameLines(a: Lines, b: Lines): boolean {
  return listDifferingBlocks(a, b).length === 0
}

/** The lines of one block. */
export function linesOf(lines: Lines, block: number): Map<string, number> {
  return new Map([...lines].filter(([, of]) => of === block))
}

/** Whether one side has something of a block that the other lacks, times aside. */
export function hasMore(theirs: Lines, rows: Lines, block: number): boolean {
  const known = withoutTimes(linesOf(rows, block))
  return [...withoutTimes(linesOf(theirs, block)).keys()].some((text) => !known.has(text))
}

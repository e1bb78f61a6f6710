import { Failure, toLowerHex } from '@chainboard/core'
import { Type } from 'typebox'
import { Value } from 'typebox/value'
import type { BlockRef } from '../../store/syncCursor.ts'
import { readSelections } from './readSelections.ts'
import { txHash, wholeNumber } from './rows.ts'
import type { SubgraphClient } from './subgraphClient.ts'

const schema = Type.Object({
  block: Type.Object({ number: wholeNumber, hash: txHash, timestamp: Type.Optional(Type.Union([wholeNumber, Type.Null()])) }),
  hasIndexingErrors: Type.Boolean(),
})

/**
 * The last block that a subgraph has read. An older server does not say of when its block is: then the time is that of the
 * newest transaction in the subgraph, so its data may be taken for older than they are, never for younger.
 * @throws Failure `upstream-refused` for a subgraph that has met an error of its own; else as the client does
 */
export async function readHead(client: SubgraphClient): Promise<BlockRef> {
  const { _meta: meta } = await client.ask(
    (has) => `{ _meta { block { number hash ${has('_Block_.timestamp') ? 'timestamp' : ''} } hasIndexingErrors } }`,
  )
  if (!Value.Check(schema, meta))
    throw new Failure('upstream-invalid', 'The subgraph does not report its block', { retryable: true })
  if (meta.hasIndexingErrors) throw new Failure('upstream-refused', 'The subgraph had an indexing error', { retryable: true })
  const number = Number(meta.block.number)
  const { timestamp } = meta.block
  return {
    number,
    hash: toLowerHex(meta.block.hash),
    timestampSeconds: timestamp == null ? await readNewestTime(client, number) : Number(timestamp),
  }
}

async function readNewestTime(client: SubgraphClient, atBlockNumber: number): Promise<number> {
  const newest = {
    entity: 'transactions',
    where: {},
    fields: () => 'timestamp',
    newest: { by: 'timestamp', count: 1 },
  } as const
  const [selected] = await readSelections(client, [newest], { atBlockNumber, pagesMax: 1 })
  const row = selected?.rows[0]
  if (Value.Check(Type.Object({ timestamp: wholeNumber }), row)) return Number(row.timestamp)
  throw new Failure('upstream-invalid', 'The subgraph does not report the time of its block', { retryable: true })
}

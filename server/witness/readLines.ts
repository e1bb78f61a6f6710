import { type Address, Failure, type Hex } from '@chainboard/core'
import type { Chain } from '../chain/chain.ts'
import { invalid, type ParsedLog, parseLog } from '../chain/parseAnswer.ts'
import { toHex, toSlices } from '../chain/readRange.ts'
import { listPoolAddresses } from '../store/pools.ts'
import type { Store } from '../store/store.ts'
import { failureOfNode } from './failureOfNode.ts'
import { readSpanTimes } from './readSpanTimes.ts'
import { type CreatedBlockOf, type Keeping, type Lines, toLines } from './spanEvents.ts'

export type LinesDeps = Keeping & {
  readonly store: Store
  readonly topics: readonly Hex[]
  /** A clock for waits, which nobody sets. */
  readonly nowMs: () => number
}

/** `known`: times of blocks that the index has, for which no header is read when the node says the same. */
type Wanted = {
  readonly fromBlock: number
  readonly toBlock: number
  readonly createdBlockOf: CreatedBlockOf
  readonly known?: ReadonlyMap<number, number>
}

/**
 * What an index would keep of a node's logs of a span, with the times that the node's headers give them.
 * @throws Failure of the codes `rpc-…`, or of the store
 */
export async function readLines(deps: LinesDeps, node: Chain, wanted: Wanted): Promise<Lines> {
  const { fromBlock, toBlock, createdBlockOf, known = new Map() } = wanted
  const filter = { fromBlock: toHex(fromBlock), toBlock: toHex(toBlock), topics: [deps.topics] }
  const ask = async (named: { readonly address?: readonly Address[] }) => {
    const answer = await node.forward('eth_getLogs', [{ ...filter, ...named }])
    if (answer === null) throw new Failure('rpc-unavailable', `The node does not have block ${toBlock}`, { retryable: true })
    if (!Array.isArray(answer)) throw invalid('The node returned no list of logs', { fromBlock, toBlock })
    return answer.map(parseLog)
  }
  const logs = await ask({}).catch(async (error: unknown) => {
    if (failureOfNode(error).detail['refusal'] !== 'address-required') throw error
    // Of a pool whose creation the index lacks, the creation shows: its block is read again, and what follows with it.
    const named = toSlices([deps.factory, ...(await listPoolAddresses(deps.store.read))])
    return (await Promise.all(named.map((address) => ask({ address })))).flat()
  })
  const sorted = logs.sort((a, b) => a.blockNumber - b.blockNumber || a.logIndex - b.logIndex)
  const isOurs = ({ address, blockNumber }: ParsedLog) =>
    known.has(blockNumber) || createdBlockOf(address) !== undefined || address === deps.factory
  const times = await readSpanTimes(node, sorted.filter(isOurs), known, deps.nowMs())
  const timed = sorted.map((log) => ({ ...log, timestampSeconds: times.get(log.blockNumber) ?? 0 }))
  return toLines(deps, timed, createdBlockOf)
}

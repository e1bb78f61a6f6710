import { type Address, Failure, fieldsOf, type Hex } from '@chainboard/core'
import { toEventSelector } from 'viem'
import type { Chain } from '../../chain/chain.ts'
import { invalid } from '../../chain/parseAnswer.ts'

const collectProtocol = toEventSelector('CollectProtocol(address,address,uint128,uint128)')
const amountsPattern = /^0x[0-9a-f]{128}$/i
/** Questions for logs that one reading may take; the next one continues there. */
const callsMax = 20
/** A node that refuses so few blocks refuses for another reason. */
const spanMin = 64
/** Pools of which what was read is kept. */
const poolsMax = 1_000

/** What the exchange took out of a pool, in smallest units of its two tokens. */
export type Takings = { readonly taken0: bigint; readonly taken1: bigint }
const nothing: Takings = { taken0: 0n, taken1: 0n }

export type TakingsDeps = {
  readonly chain: Pick<Chain, 'forward'>
  /** The block from which the exchange had a share of a pool's fees; undefined: it never had one. */
  readonly findFirstShare: (pool: Address) => Promise<number | undefined>
  /** The widest range of blocks to ask for. */
  readonly spanMax: number
  /** What is this far from the newest block stays as it is. */
  readonly reorgDepthMax: number
}

/**
 * Reads what the exchange collected of pools until a block (`CollectProtocol`), which the index does not keep, as the reference subgraph
 * does not. Only pools that miss something are asked about. Undefined while not all of it is read.
 * @throws Failure as the node does
 */
export type TakingsReader = (pool: Address, block: number) => Promise<Takings | undefined>

type Known = Takings & { readonly next: number }

/** Starts with nothing read; what is settled is read once. */
export function createTakingsReader({ chain, findFirstShare, spanMax, reorgDepthMax }: TakingsDeps): TakingsReader {
  const known = new Map<Address, Known>()
  return async (pool, block) => {
    const first = known.get(pool)?.next ?? (await findFirstShare(pool))
    if (first === undefined) return nothing
    let [at, span]: [Known, number] = [known.get(pool) ?? { ...nothing, next: first }, spanMax]
    for (let calls = 0; calls < callsMax && at.next <= block; calls += 1) {
      const settled = block - reorgDepthMax
      const to = Math.min(at.next <= settled ? settled : block, at.next + span - 1)
      try {
        const { taken0, taken1 } = await readRange(chain, pool, { from: at.next, to })
        at = { taken0: at.taken0 + taken0, taken1: at.taken1 + taken1, next: to + 1 }
        if (to <= settled) keep(known, pool, at)
      } catch (error) {
        if (!(error instanceof Failure) || error.code !== 'rpc-range-too-wide' || span <= spanMin) throw error
        span = Math.max(spanMin, Math.floor(span / 2))
      }
    }
    return at.next > block ? at : undefined
  }
}

/** The one that was read longest ago makes room. */
function keep(known: Map<Address, Known>, pool: Address, at: Known): void {
  known.delete(pool)
  const oldest = known.size < poolsMax ? undefined : known.keys().next().value
  if (oldest) known.delete(oldest)
  known.set(pool, at)
}

async function readRange(
  { forward }: Pick<Chain, 'forward'>,
  address: Address,
  { from, to }: { readonly from: number; readonly to: number },
): Promise<Takings> {
  const answer = await forward('eth_getLogs', [
    { address, topics: [collectProtocol], fromBlock: toHex(from), toBlock: toHex(to) },
  ])
  if (!Array.isArray(answer)) throw invalid('The node returned no list of logs')
  let { taken0, taken1 } = nothing
  for (const log of answer) {
    const { data, topics } = fieldsOf(log)
    if (typeof data !== 'string' || !amountsPattern.test(data) || !Array.isArray(topics) || topics.length !== 3) continue
    taken0 += BigInt(data.slice(0, 66))
    taken1 += BigInt(`0x${data.slice(66)}`)
  }
  return { taken0, taken1 }
}

function toHex(block: number): Hex {
  return `0x${block.toString(16)}`
}

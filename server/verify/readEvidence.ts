import type { Receipt } from '@chainboard/contract'
import type { Address } from '@chainboard/core'
import type { Chain, Header } from '../chain/chain.ts'
import { readContract } from '../chain/readContract.ts'
import { toAddress } from './listPools.ts'
import { findWindow, readMedian, type WindowBlocks } from './readMedian.ts'
import type { Asking } from './readPoolEvents.ts'

/** What the chain says of a hop's pool at the receipt's block; undefined: no contract answers there. */
export type HopEvidence = {
  /** The factory's pool of the hop's two tokens and fee. */
  readonly poolOfFactory: Address | undefined
  readonly token0: Address | undefined
  readonly token1: Address | undefined
  readonly fee: number | undefined
  readonly decimals0: number | undefined
  readonly decimals1: number | undefined
  readonly sqrtPriceX96: bigint | undefined
  /** Of the window before the block, by the pool's logs. */
  readonly medianX96: bigint | undefined
}

/** What a node says of everything that a receipt claims. */
export type Evidence = {
  readonly chainId: number
  /** Undefined: the node has no such block. */
  readonly block: Header | undefined
  /** Of all pools of the receipt's steps, by address. */
  readonly pools: ReadonlyMap<string, HopEvidence>
  /** Where the receipt's window lies; undefined without a block or a window. */
  readonly window: WindowBlocks | undefined
}

const stepsMax = 40

/**
 * Asks a node for what a receipt can be held against. Nothing of the receipt but addresses and the block goes into it.
 * @param chainId of the site @throws Failure `rpc-…` as the node does
 */
export async function readEvidence(asking: Asking, receipt: Receipt, chainId: number): Promise<Evidence> {
  const { chain } = asking
  const nodeChainId = await chain.readChainId()
  const number = receipt.block?.number ?? 0
  const block = nodeChainId === chainId ? await chain.readHeader(number) : undefined
  const pools = new Map<string, HopEvidence>()
  const window = block && receipt.windowSeconds !== null ? await findWindow(chain, block, receipt.windowSeconds) : undefined
  if (block) asking.onStep?.({ kind: 'block', number: block.number, hash: block.hash })
  // One after the other: gateways for browsers take small batches.
  if (block)
    for (const hop of receipt.steps.flatMap((step) => step.pools)) {
      const pool = await readHop(chain, hop, toAddress(receipt.factory), number)
      const medianX96 = window ? await readMedian(asking, toAddress(hop.pool), window) : pool.sqrtPriceX96
      pools.set(toAddress(hop.pool), { ...pool, medianX96 })
      asking.onStep?.({ kind: 'pool', pool: toAddress(hop.pool), medianX96 })
    }
  return { chainId: nodeChainId, block, pools, window }
}

async function readHop(
  chain: Chain,
  hop: Receipt['route'][number],
  factory: Address,
  block: number,
): Promise<Omit<HopEvidence, 'medianX96'>> {
  const to = toAddress(hop.pool)
  const [poolOfFactory, token0, token1, fee, sqrtPriceX96] = await Promise.all([
    readContract(chain, { to: factory, name: 'getPool', args: [toAddress(hop.base), toAddress(hop.quote), hop.fee], block }),
    readContract(chain, { to, name: 'token0', block }),
    readContract(chain, { to, name: 'token1', block }),
    readContract(chain, { to, name: 'fee', block }),
    readContract(chain, { to, name: 'slot0', block }),
  ])
  const [decimals0, decimals1] = await Promise.all(
    [token0, token1].map(async (token) => token && readContract(chain, { to: token, name: 'decimals', block })),
  )
  return { poolOfFactory, token0, token1, fee, decimals0, decimals1, sqrtPriceX96 }
}

/** A node without the block's state says so in many words; which states it has is found by asking. */
export async function explainFailure(
  chain: Chain,
  { block, route }: Receipt,
  { code, said }: { readonly code: string; readonly said: string },
): Promise<string> {
  if (code !== 'rpc-refused' || !block || !route[0]) return `The node gave no answer: ${said}`
  const oldest = await findOldestState(chain, toAddress(route[0].pool), block.number).catch(() => undefined)
  const has = oldest ? `it has the states of blocks ${oldest.from} to ${oldest.to}` : 'nor of any newer one'
  return `The node does not have the state of block ${block.number} (${said}): ${has}. Use an archive node, or verify a newer price`
}

async function findOldestState(chain: Chain, pool: Address, missing: number): Promise<{ from: number; to: number } | undefined> {
  const { number: head } = await chain.readHead()
  const has = async (block: number) => {
    try {
      await readContract(chain, { to: pool, name: 'slot0', block })
      return true
    } catch {
      return false
    }
  }
  if (!(await has(head))) return undefined
  let without = missing
  let from = head
  for (let step = 0; from - without > 1 && step < stepsMax; step += 1) {
    const middle = Math.floor((without + from) / 2)
    if (await has(middle)) from = middle
    else without = middle
  }
  return { from, to: head }
}

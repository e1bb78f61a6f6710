import { numberToHex } from 'viem'
import { DevnetFault } from './devnetFault.ts'
import { fillBlocks, type PlannedBlock, readHead } from './generate.ts'
import type { Market, Trade } from './market.ts'
import type { Rpc } from './rpc.ts'
import type { Maker } from './tradeBlock.ts'

/** Blocks from one time to another. */
export type PlanGap = (fromSeconds: number, nowSeconds: number) => Promise<PlannedBlock[]>

/** The one place that mines on a running chain, one thing at a time, while users' transactions keep being mined at once. */
export type ChainWriter = {
  /** Mines the trades as one block. @throws DevnetFault when one of them fails */
  mineNow(trades: readonly Trade[], seconds?: number): Promise<number>
  /**
   * Fills the time since the head as planned, before the clock goes on. Resumes a market for it: one that has seen later
   * times, before a reorg, would trade nonsense.
   * @returns that market and how many blocks it took, nothing when none were planned
   */
  fillGap(
    resume: () => Promise<Market>,
    plan: PlanGap,
    signal: AbortSignal,
  ): Promise<{ market: Market; blocks: number } | undefined>
  /** Runs something alone, without automatic mining. */
  alone<T>(work: () => Promise<T>): Promise<T>
}

export type WriterDeps = {
  readonly rpc: Rpc
  readonly maker: Maker
  readonly nowSeconds: () => number
  readonly onProgress: (text: string) => void
}

/** The writer of a running chain, which mines automatically in between. */
export function createWriter({ rpc, maker, nowSeconds, onProgress }: WriterDeps): ChainWriter {
  let last: Promise<unknown> = Promise.resolve()
  const alone = <T>(work: () => Promise<T>): Promise<T> => {
    const run = last.then(async () => {
      await rpc.call('evm_setAutomine', [false])
      try {
        return await work()
      } finally {
        await rpc.call('evm_setAutomine', [true])
        await mineWaiting(rpc)
      }
    })
    last = run.catch(() => {})
    return run
  }
  const mineNow = (trades: readonly Trade[], seconds?: number) =>
    alone(async () => {
      await maker.readNonces()
      const hashes = await maker.send(trades, false)
      await rpc.call('evm_mine', seconds === undefined ? [] : [{ timestamp: seconds }])
      const receipts = await rpc.batch<{ status: string; blockNumber: string } | null>(
        hashes.map((hash) => ['eth_getTransactionReceipt', [hash]]),
      )
      const failed = receipts.findIndex((receipt) => receipt?.status !== '0x1')
      if (failed >= 0)
        throw new DevnetFault(`trade ${failed} of ${trades.length}, in pool ${trades[failed]?.pool}, failed on the chain`)
      return receipts[0] ? Number(receipts[0].blockNumber) : (await readHead(rpc)).number
    })
  const fillGap: ChainWriter['fillGap'] = async (resume, plan, signal) => {
    const blocks = await plan((await readHead(rpc)).seconds, nowSeconds())
    if (blocks.length === 0) return undefined
    const market = await resume()
    await alone(async () => {
      await fillBlocks(rpc, maker, { blocks, market, signal, onProgress })
      await setClock(rpc, nowSeconds())
    })
    return { market, blocks: blocks.length }
  }
  return { mineNow, fillGap, alone }
}

/** Mines users' transactions that came while automatic mining was off. */
async function mineWaiting(rpc: Rpc): Promise<void> {
  const { pending } = await rpc.call<{ pending: string }>('txpool_status')
  if (Number(pending) > 0) await rpc.call('evm_mine')
}

/** Lets the chain's clock follow the computer's: blocks mined with times of their own leave it behind. */
export async function setClock(rpc: Rpc, nowSeconds: number): Promise<void> {
  const head = await readHead(rpc)
  await rpc.call('anvil_setTime', [numberToHex(Math.max(nowSeconds, head.seconds + 1))])
}

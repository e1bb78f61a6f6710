import { readHead } from '../../devnet/generate.ts'
import type { Rpc } from '../../devnet/rpc.ts'
import { createMaker } from '../../devnet/tradeBlock.ts'
import { NotMeasured } from '../notMeasured.ts'
import { readReceipts, sendLast, type Transaction } from './chainTools.ts'
import { createHonestMarket, type HonestMarket } from './honestMarket.ts'
import type { Head } from './readSite.ts'

/** What happened to the chain. `isWatched`: the server was read after it. */
export type TimeStep =
  | { readonly kind: 'block'; readonly seconds: number; readonly pace: 'live' | 'minute'; readonly isWatched: boolean }
  | { readonly kind: 'reorg'; readonly depth: number }

/** The blocks of a stage, and the honest traders in each of them. */
export type StageBlocks = {
  honest(): HonestMarket
  /** Unix seconds of the newest block. */
  seconds(): number
  head(): Promise<Head>
  /** Mines a block with these transactions after the honest traders'. @returns their receipts @throws NotMeasured when one fails */
  mine(
    transactions: readonly Transaction[],
    everySeconds: number,
    pace: 'live' | 'minute',
  ): Promise<Awaited<ReturnType<typeof readReceipts>>>
  /** Honest blocks, one a minute, that the server is not read after, until the chain's time is this. */
  skipTo(seconds: number): Promise<void>
  /** Replaces the last blocks by empty ones. */
  reorg(depth: number): Promise<void>
  /** Calls back after every block from now on. */
  watch(onBlock: (head: Head) => Promise<void>): void
  /** Begins the timeline here: `restart` comes back to this block. */
  begin(): Promise<void>
  /** All that happened since `begin`. */
  timeline(): readonly TimeStep[]
  /** Takes the chain, its time and the honest traders back. Once. @throws NotMeasured when the node refuses */
  restart(): Promise<void>
  /** Repeats a step of an earlier timeline, with the honest traders alone. */
  repeat(step: TimeStep): Promise<void>
}

const minute = 60

/** Takes over the mining of a chain. @param seed decides the honest trades */
export async function openBlocks({ rpc, seed, signal }: { rpc: Rpc; seed: string; signal: AbortSignal }): Promise<StageBlocks> {
  await rpc.call('evm_setAutomine', [false])
  const maker = createMaker(rpc)
  let honest = await createHonestMarket(rpc, seed)
  let { seconds } = await readHead(rpc)
  let onBlock: (head: Head) => Promise<void> = async () => {}
  let isWatched = true
  let begun = { seconds, snapshot: '' }
  const timeline: TimeStep[] = []
  const head = async () => {
    const { number, seconds: atSeconds } = await readHead(rpc)
    return { number, seconds: atSeconds }
  }
  const mine: StageBlocks['mine'] = async (transactions, everySeconds, pace) => {
    signal.throwIfAborted()
    seconds += everySeconds
    timeline.push({ kind: 'block', seconds, pace, isWatched })
    await maker.readNonces()
    await maker.send(honest.next(seconds, pace), false)
    const hashes = await sendLast(rpc, transactions)
    await rpc.call('evm_mine', [{ timestamp: seconds }])
    const now = await head()
    honest.record(now.number)
    const receipts = await readReceipts(rpc, hashes)
    if (isWatched) await onBlock(now)
    return receipts
  }
  const unwatched = async (part: () => Promise<unknown>) => {
    isWatched = false
    await part()
    isWatched = true
  }
  const reorg = async (depth: number) => {
    timeline.push({ kind: 'reorg', depth })
    const before = await head()
    await rpc.call('anvil_reorg', [depth, []])
    honest.rewind(before.number - depth)
    const now = await head()
    for (let number = before.number - depth + 1; number <= now.number; number += 1) honest.record(number)
    await onBlock(now)
  }
  return {
    ...{ honest: () => honest, seconds: () => seconds, head, mine, reorg },
    skipTo: (until) =>
      unwatched(async () => {
        while (seconds < until) await mine([], Math.min(minute, until - seconds), 'minute')
      }),
    watch: (listener) => {
      onBlock = listener
    },
    begin: async () => {
      // Traders draw from here on, so that they draw the same after a restart.
      honest = await createHonestMarket(rpc, seed)
      begun = { seconds, snapshot: await rpc.call<string>('evm_snapshot', []) }
      timeline.length = 0
    },
    timeline: () => [...timeline],
    restart: async () => {
      if (!(await rpc.call<boolean>('evm_revert', [begun.snapshot]))) throw new NotMeasured('the chain cannot be taken back')
      seconds = begun.seconds
      timeline.length = 0
      honest = await createHonestMarket(rpc, seed)
    },
    repeat: async (step) => {
      if (step.kind === 'reorg') return reorg(step.depth)
      const mineAgain = () => mine([], step.seconds - seconds, step.pace)
      await (step.isWatched ? mineAgain() : unwatched(mineAgain))
    },
  }
}

// The live market: a block every two or three seconds, at the clock's pace.
import { setTimeout as sleep } from 'node:timers/promises'
import type { Market, Trade } from './market.ts'
import type { ChainWriter, PlanGap } from './writer.ts'

export type LiveOptions = {
  readonly writer: ChainWriter
  /** Makes a market that goes on from the chain as it is: at the start, and after anything unexpected. */
  readonly resume: () => Promise<Market>
  /** Trades besides the market's own, for every block. */
  readonly extraTrades?: (() => Promise<Trade[]>) | undefined
  /** How missed time is filled. */
  readonly planGap: PlanGap
  readonly onProblem: (text: string) => void
}

const blockMsMin = 2_000
const blockMsMax = 3_000
const problemWaitMsMax = 30_000
/** A longer pause, as when the computer slept, is filled with trades first. */
const gapSecondsMax = 120

/** Trades until stopped. A failing node is tried again after a growing pause; missed time is not made up in a rush. */
export function startLiveMarket(options: LiveOptions): { stop(): Promise<void> } {
  const end = new AbortController()
  const done = runLive(options, end.signal)
  return {
    async stop() {
      end.abort()
      await done
    },
  }
}

async function runLive(options: LiveOptions, signal: AbortSignal): Promise<void> {
  const planLongGap: PlanGap = async (head, now) => (now - head > gapSecondsMax ? options.planGap(head, now) : [])
  let market: Market | undefined
  let failures = 0
  while (!signal.aborted) {
    const startedMs = Date.now()
    try {
      const filled = await options.writer.fillGap(options.resume, planLongGap, signal)
      if (filled) options.onProblem(`the market was stopped: ${filled.blocks} blocks were added`)
      market = filled?.market ?? market ?? (await options.resume())
      const extra = (await options.extraTrades?.()) ?? []
      await options.writer.mineNow([...market.next(nowSeconds(), 'live'), ...extra])
      failures = 0
    } catch (error) {
      if (signal.aborted) return
      market = undefined
      failures += 1
      options.onProblem(`the live market missed a block: ${error instanceof Error ? error.message : error}`)
    }
    const pause =
      failures > 0
        ? Math.min(problemWaitMsMax, blockMsMin * 2 ** failures)
        : blockMsMin + Math.random() * (blockMsMax - blockMsMin)
    await sleep(Math.max(0, startedMs + pause - Date.now()), undefined, { signal }).catch(() => {})
  }
}

function nowSeconds(): number {
  return Math.floor(Date.now() / 1_000)
}

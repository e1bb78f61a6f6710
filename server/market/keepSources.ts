import { runAtOnce } from '@chainboard/core'
import type { PickOptions } from './pickQuote.ts'
import {
  type AskedSource,
  type KeptSource,
  type PollOptions,
  pollSource,
  type SourceClock,
  type SourceLog,
  type SourcePoll,
} from './pollSource.ts'
import type { SourceName, SourceReading } from './source.ts'
import { type MergeOptions, mergeSteps, type Snapshot, type Taken } from './takeSnapshot.ts'
import type { TokenList } from './tokenList.ts'

const defaultRetryFirstMs = 5_000
/** How often what is kept is looked at again, so that a price turns stale, and the next source takes over, without news. */
const mergeEveryMs = 30_000

export type SourceKeeper = {
  /** Reads the chain's source now: after a block. */
  readChain(): Promise<void>
  /** The market by what is kept at this moment. */
  merge(): Snapshot
  /** The same, step by step: by what is kept at the first one; what is learned of a token is read at its own. */
  mergeSteps(): Generator<void, Snapshot>
  /** Every source in use: those of the network file in its order, then the chain's where it is only looked at. */
  kept(): readonly KeptSource[]
  /** What the source that reads the chain said last. */
  chainReading(): SourceReading | undefined
  /** Reads every source once, the chain's first and the dearest last. */
  readOnce(): Promise<void>
  start(): void
  /** Resolves when each source has been asked once, well or not, or all have been stopped. */
  readonly asked: Promise<unknown>
  stop(): Promise<void>
}

export type SourceKeeperOptions = {
  /** The network file's order. Those that are not in `asked` are left out. */
  readonly order: readonly SourceName[]
  readonly list: () => TokenList
  readonly prices: Pick<PickOptions, 'staleAfterSeconds' | 'spreadMaxPercent'>
  readonly asked: Readonly<Partial<Record<SourceName, AskedSource>>>
  readonly clock: SourceClock
  readonly log: SourceLog
  readonly learned?: MergeOptions['learned']
  /** After every reading, and every 30 s: a merge may come out otherwise now. */
  readonly onChange: () => void
}

/** Keeps the readings of all sources, each on its own interval, and merges them on demand. */
export function keepSources({ order, list, prices, asked, clock, log, learned, onChange }: SourceKeeperOptions): SourceKeeper {
  const stopping = new AbortController()
  const chainName: SourceName = asked.index ? 'index' : 'subgraph'
  const polls = new Map<SourceName, SourcePoll>()
  for (const name of new Set([...order, chainName])) {
    const one = asked[name]
    const changed: PollOptions['onChange'] = name === 'index' ? () => undefined : onChange
    if (!one) continue
    const { source, intervalMs, tokens = () => list().tokens, retryFirstMs = () => defaultRetryFirstMs } = one
    polls.set(name, pollSource(source, { clock, log, tokens, intervalMs, retryFirstMs, onChange: changed }))
  }
  const chain = polls.get(chainName)
  let taken: Taken | undefined
  let ticking: Promise<void> | undefined
  const tick = async () => {
    while (!stopping.signal.aborted) {
      await clock.pause(mergeEveryMs, stopping.signal)
      if (!stopping.signal.aborted) onChange()
    }
  }
  function* mergeKept() {
    const ordered = order.flatMap((name) => polls.get(name)?.kept() ?? [])
    const reading = chain?.kept()
    const options = { ...prices, nowSeconds: clock.nowMs() / 1000, chain: reading, learned }
    const snapshot = yield* mergeSteps(ordered, list(), options, taken)
    taken = { snapshot, kept: ordered, chain: reading }
    return snapshot
  }
  return {
    readChain: async () => chain?.refresh(),
    chainReading: () => chain?.kept().reading,
    kept: () => [...polls.values()].map((poll) => poll.kept()),
    merge: () => runAtOnce(mergeKept()),
    mergeSteps: mergeKept,
    readOnce: async () => {
      await chain?.refresh()
      const waits = (name: SourceName) => asked[name]?.after !== undefined
      const inTurn = [...polls].toSorted(([a], [b]) => Number(waits(a)) - Number(waits(b)))
      for (const [, poll] of inTurn) if (poll !== chain) await poll.refresh()
    },
    asked: Promise.all([...polls.values()].map(({ first }) => first)),
    start: () => {
      ticking ??= tick()
      for (const [name, poll] of polls) {
        const after = asked[name]?.after
        if (after) poll.start(Promise.all([...after.map((before) => polls.get(before)?.first), chain?.first]))
        else if (name !== 'index') poll.start()
      }
    },
    stop: async () => {
      stopping.abort()
      await Promise.all([...polls.values()].map((poll) => poll.stop()))
      await ticking
    },
  }
}

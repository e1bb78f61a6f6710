import type { Cmc } from './cmc/openCmc.ts'
import { findSharedCmc } from './cmc/shareCmc.ts'
import { keepSources, type SourceKeeper } from './keepSources.ts'
import type { AskedSource, SourceLog } from './pollSource.ts'
import type { SourceName } from './source.ts'
import type { OpenParts } from './sourceDefinition.ts'
import { getDefinition, sourceNames } from './sourceRegistry.ts'
import type { MergeOptions } from './takeSnapshot.ts'

export type SourceParts = Omit<OpenParts, 'signal' | 'kept' | 'chainReading'> & {
  readonly log: SourceLog
  readonly learned?: MergeOptions['learned']
  readonly onChange: () => void
}

/** The sources in use, and CoinMarketCap's part of them; `cmc` is undefined when it is not asked. */
export type OpenSources = {
  readonly keeper: SourceKeeper
  readonly cmc: Cmc | undefined
  start(): void
  /** Ends calls under way. */
  stop(): Promise<void>
}

/** Opens every source that the network file names and that has what it needs. Asks none of them yet. */
export async function openSources({ log, learned, onChange, ...given }: SourceParts): Promise<OpenSources> {
  const { network, list, clock } = given
  const order = network.prices.sources
  const stopping = new AbortController()
  const late: { keeper?: SourceKeeper } = {}
  const parts: OpenParts = {
    ...given,
    signal: stopping.signal,
    kept: (name) => late.keeper?.kept().find((kept) => kept.name === name),
    chainReading: () => late.keeper?.chainReading(),
  }
  const asked: Partial<Record<SourceName, AskedSource>> = {}
  const leftOut = new Set<string>()
  for (const name of sourceNames) {
    const definition = getDefinition(name)
    if (!order.includes(name) && !definition.readsChain) continue
    const opened = await definition.open(parts)
    if (opened && 'leftOut' in opened) leftOut.add(opened.leftOut)
    else if (opened) asked[name] = opened
  }
  const keeper = keepSources({ order, list, prices: network.prices, asked, clock, log, learned, onChange })
  late.keeper = keeper
  return {
    keeper,
    cmc: await findSharedCmc(parts),
    start: () => {
      for (const text of leftOut) log.info({ sources: order }, text)
      keeper.start()
    },
    stop: async () => {
      stopping.abort()
      await keeper.stop()
    },
  }
}

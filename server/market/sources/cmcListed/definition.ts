import { checkCmc } from '../../cmc/checkCmc.ts'
import { slugOf } from '../../cmc/cmcKeys.ts'
import { type cmcFile, cmcSettings } from '../../cmc/cmcSettings.ts'
import { noKey, shareCmc } from '../../cmc/shareCmc.ts'
import type { SourceDefinition } from '../../sourceDefinition.ts'
import { createCmcListedSource } from './cmcListedSource.ts'

/** CoinMarketCap's listing. */
export const cmcListed: SourceDefinition<typeof cmcFile> = {
  ...cmcSettings,
  name: 'cmcListed',
  label: 'CoinMarketCap',
  inSentences: 'CoinMarketCap',
  open: async (parts) => {
    const cmc = await shareCmc(parts)
    if (!cmc) return noKey
    const source = createCmcListedSource({ ...cmc, nowMs: parts.clock.nowMs, signal: parts.signal })
    return { source, intervalMs: () => cmc.plan().listedSeconds * 1000 }
  },
  check: checkCmc,
  askedAs: ({ token }) => `slug ${slugOf(token)}`,
}

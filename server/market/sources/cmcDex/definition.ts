import { checkCmc } from '../../cmc/checkCmc.ts'
import { cmcPoolOf } from '../../cmc/cmcKeys.ts'
import { type cmcFile, cmcSettings } from '../../cmc/cmcSettings.ts'
import { noKey, shareCmc } from '../../cmc/shareCmc.ts'
import type { SourceDefinition } from '../../sourceDefinition.ts'
import { createCmcDexSource } from './cmcDexSource.ts'

const retryFirstMsMin = 5_000
/** A reading of pairs may cost hundreds of credits, and a failed one too: in an outage this allows three more than planned. */
const retryPart = 8

/** CoinMarketCap's DEX pairs. */
export const cmcDex: SourceDefinition<typeof cmcFile> = {
  ...cmcSettings,
  name: 'cmcDex',
  label: 'CoinMarketCap, from DEX trades',
  inSentences: "CoinMarketCap's DEX side",
  standsBackOverMs: 15 * 60_000,
  open: async (parts) => {
    const cmc = await shareCmc(parts)
    if (!cmc) return noKey
    const deps = { ...cmc, nowMs: parts.clock.nowMs, signal: parts.signal }
    return {
      source: createCmcDexSource(deps, { network: parts.network.cmc?.network ?? '', poolOf: cmc.poolOf }),
      intervalMs: () => cmc.plan().dexSeconds * 1000,
      tokens: cmc.dexTokens,
      retryFirstMs: (intervalMs) => Math.max(retryFirstMsMin, intervalMs / retryPart),
      // Pairs cost most: they wait until it is known what the listing has, and which pools the chain has.
      after: ['cmcListed'],
    }
  },
  check: (visit) => {
    // Both sources have one key, which is looked at once.
    if (!visit.network.prices.sources.includes('cmcListed')) checkCmc(visit)
  },
  askedAs: ({ token, displayPool }) => `pool ${cmcPoolOf(token, displayPool)}`,
}

import type { Config } from './config.ts'
import { type LeadParts, openLead } from './openLead.ts'
import type { Site } from './site.ts'

/** The site of the only server on its database: it answers from what it works out itself. */
export async function openAlone(config: Config, parts: LeadParts): Promise<Site> {
  const lead = await openLead(config, parts)
  const { list, market, boosts, full } = lead
  return {
    ...{ list, listStatus: list.status, reloadList: list.reload, putFeatured: list.putFeatured, boosts, full },
    ...{ snapshots: market.snapshots, recent: market.recent, history: market.history },
    ...{ index: market.index, poolVolumes: market.poolVolumes },
    ...{ sources: market.sources, creditsSpent: market.creditsSpent },
    ...{ answerCmcListed: market.answerCmcListed, answerCmcDex: market.answerCmcDex },
    followStatus: lead.followStatus,
    watchIndex: lead.watchIndex,
    begin: async () => lead.begin(),
    isLeading: () => true,
    resign: async () => undefined,
    stop: lead.stop,
  }
}

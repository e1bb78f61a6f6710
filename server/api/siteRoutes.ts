import { routes, type WireConfig } from '@chainboard/contract'
import type { FastifyPluginCallbackTypebox } from '@fastify/type-provider-typebox'
import { toPriceRules } from '../market/receipt.ts'
import { toWalletConnect } from '../networkFile.ts'
import type { Clock, Following, ListNews, Network } from './deps.ts'
import type { SiteAddress } from './isSameOrigin.ts'
import { sharedForASecond } from './sharedCache.ts'
import { toListStatus } from './toListStatus.ts'
import { toStatus } from './toStatus.ts'

type SiteNames = Network & Pick<SiteAddress, 'domain'>
export type SiteRouteDeps = SiteNames & Following & ListNews & Clock

/** What the web needs to know of the site, and how fresh its data is. */
export function siteRoutes(deps: SiteRouteDeps): FastifyPluginCallbackTypebox {
  const config = toConfig(deps)
  return (app, _, done) => {
    app.route({
      ...routes.getConfig,
      handler: async (_request, reply) => {
        reply.header('Cache-Control', sharedForASecond)
        return config
      },
    })
    app.route({
      ...routes.getStatus,
      handler: () => ({ ...toStatus(deps), tokenList: toListStatus(deps.listStatus()) }),
    })
    done()
  }
}

function toConfig({ network, networkName, domain }: SiteNames): WireConfig {
  const { chain, dex, wrappedNative, usdc, boost, links, contact, explorer, brand, demoWallets = [] } = network
  return {
    siteName: network.siteName,
    domain,
    chain: {
      id: chain.id,
      name: chain.name,
      nativeCurrency: chain.nativeCurrency,
      rpcUrl: chain.publicRpcUrl ?? routes.callNode.url,
    },
    wrappedNative,
    usdc,
    prices: network.index.pools === 'none' ? null : toPriceRules(network),
    boost: boost ? { contract: boost.address } : null,
    links,
    contact: { email: contact?.email ?? null, chatUrl: contact?.chatUrl ?? null },
    explorer: explorer ?? null,
    dex: { name: dex.name, swapUrl: dex.swapUrl ?? null, poolUrl: dex.poolUrl ?? null },
    brand: {
      accentDark: brand.accentDark,
      accentLight: brand.accentLight,
      logo: brand.logo ? `/logos/${networkName}/${brand.logo}` : null,
    },
    demoWallets,
    walletConnect: toWalletConnect(network) ?? null,
  }
}

import type { WireConfig, WireStatus } from '@chainboard/core'
import type { FastifyPluginCallbackTypebox } from '@fastify/type-provider-typebox'
import type { ApiDeps } from './deps.ts'
import { configAnswer, problems, query, statusAnswer } from './schemas.ts'

/** Seconds without an answer from the node after which the data counts as cut off. */
const contactSecondsMax = 15
/** Blocks behind the head that still count as live. */
const liveLagMax = 3

/** What the web needs to know of the site, and how fresh its data is. */
export function siteRoutes(deps: ApiDeps): FastifyPluginCallbackTypebox {
  const config = toConfig(deps)
  return (app, _, done) => {
    app.get('/api/config', { schema: { querystring: query({}), response: { 200: configAnswer, ...problems } } }, () => config)
    app.get('/api/status', { schema: { querystring: query({}), response: { 200: statusAnswer, ...problems } } }, () =>
      toStatus(deps),
    )
    done()
  }
}

export function toStatus({ followStatus, nowSeconds }: Pick<ApiDeps, 'followStatus' | 'nowSeconds'>): WireStatus {
  const { cursor, head, contactAtMs } = followStatus()
  const secondsSinceContact = contactAtMs === undefined ? null : Math.max(0, nowSeconds() - contactAtMs / 1000)
  const lagBlocks = Math.max(0, (head ?? 0) - (cursor?.number ?? 0))
  const connected = secondsSinceContact !== null && secondsSinceContact <= contactSecondsMax
  return {
    block: cursor?.number ?? null,
    blockTime: cursor?.timestampSeconds ?? null,
    secondsSinceContact,
    lagBlocks,
    state: !connected ? 'disconnected' : cursor && lagBlocks <= liveLagMax ? 'live' : 'syncing',
  }
}

function toConfig({ network, networkName, domain }: ApiDeps): WireConfig {
  const { chain, dex, wrappedNative, usdc, boost, links, contact, explorer, brand, demoWallets = [] } = network
  return {
    siteName: network.siteName,
    domain,
    chain: { id: chain.id, name: chain.name, nativeCurrency: chain.nativeCurrency, rpcUrl: chain.publicRpcUrl ?? '/rpc' },
    wrappedNative,
    usdc,
    boost: boost ? { contract: boost.address } : null,
    links,
    contact: { email: contact?.email ?? null, chatUrl: contact?.chatUrl ?? null },
    explorer: explorer ?? null,
    dex: { name: dex.name, swapUrl: dex.swapUrl, poolUrl: dex.poolUrl },
    brand: {
      accentDark: brand.accentDark,
      accentLight: brand.accentLight,
      logo: brand.logo ? `/logos/${networkName}/${brand.logo}` : null,
    },
    demoWallets,
  }
}

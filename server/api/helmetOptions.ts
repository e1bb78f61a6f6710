import type { FastifyHelmetOptions } from '@fastify/helmet'
import { toWalletConnect } from '../networkFile.ts'
import type { NetworkFile } from '../networkFileSchema.ts'

const yearSeconds = 31_536_000

type Site = { readonly network: NetworkFile; readonly publicOrigin: string | undefined }

/**
 * Scripts and styles from our own origin only, calls to it, to the chain's public node and to WalletConnect's relay where the operator
 * offers it; logos may come from anywhere over https.
 */
export function toHelmetOptions({ network, publicOrigin }: Site): FastifyHelmetOptions {
  return {
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'self'"],
        scriptSrc: ["'self'"],
        styleSrc: ["'self'"],
        imgSrc: ["'self'", 'https:', 'data:'],
        fontSrc: ["'self'"],
        connectSrc: ["'self'", ...toOrigins(network.chain.publicRpcUrl), ...toOrigins(toWalletConnect(network)?.relayUrl)],
        objectSrc: ["'none'"],
        baseUri: ["'none'"],
        formAction: ["'self'"],
        frameAncestors: ["'none'"],
      },
    },
    crossOriginEmbedderPolicy: false,
    referrerPolicy: { policy: 'no-referrer' },
    // Only this host: its neighbours under the same domain are not ours to decide for.
    strictTransportSecurity: publicOrigin?.startsWith('https:') ? { maxAge: yearSeconds, includeSubDomains: false } : false,
  }
}

function toOrigins(url: string | undefined): string[] {
  return url ? [new URL(url).origin] : []
}

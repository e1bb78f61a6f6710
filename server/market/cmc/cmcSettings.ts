import { Type } from 'typebox'
import { httpUrl, object, urlPath } from '../../networkFields.ts'
import type { SourceDefinition } from '../sourceDefinition.ts'

/** CoinMarketCap, asked with the key in CMC_API_KEY. `network` is its slug of this chain. */
const cmc = Type.Optional(
  object({
    network: Type.String({ pattern: '^[A-Za-z0-9-]{1,60}$', description: "CoinMarketCap's slug of the network" }),
    baseUrl: Type.Optional(httpUrl),
    listedPath: Type.Optional(urlPath),
    dexPath: Type.Optional(urlPath),
    creditsPerMonth: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 1_000_000_000, description: 'credits to spend in a month, a whole number from 1' }),
    ),
    callsPerMinute: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 10_000, description: 'calls to make in a minute, a whole number from 1 to 10000' }),
    ),
  }),
)

/** Its part of the network file; absent where CoinMarketCap is not used. */
export const cmcFile = { cmc }

/** Settings that both CoinMarketCap sources share. */
export const cmcSettings = {
  file: cmcFile,
  env: {
    CMC_API_KEY: {
      isFit: (text) => /^[\x21-\x7e]{1,200}$/.test(text),
      found: 'a text with blanks or over 200 characters',
      wanted: 'the key alone',
    },
  },
  publisher: 'CoinMarketCap',
  findUnfit: (network) => (network.cmc ? undefined : '"cmcListed" and "cmcDex" only with a "cmc" section'),
} as const satisfies Pick<SourceDefinition<typeof cmcFile>, 'file' | 'env' | 'publisher' | 'findUnfit'>

import { Type } from 'typebox'

// The shape of `networks/<name>.json`. Every description reads as the end of "wanted …".

const address = Type.String({ pattern: '^0x[0-9a-fA-F]{40}$', description: 'an address: 0x and 40 hexadecimal digits' })
const httpUrl = Type.String({ pattern: '^https?://[^\\s]+$', maxLength: 2_000, description: 'an http or https URL' })
const text = Type.String({ minLength: 1, maxLength: 100, description: 'a text of 1 to 100 characters' })
const decimals = Type.Integer({ minimum: 0, maximum: 77, description: 'a whole number from 0 to 77' })
const colour = Type.String({ pattern: '^#[0-9a-fA-F]{6}$', description: 'a colour as #rrggbb' })
const blockNumber = Type.Integer({ minimum: 0, description: 'a block number' })

function template(name: string) {
  return Type.String({
    pattern: `^https?://[^\\s]*\\{${name}\\}`,
    maxLength: 2_000,
    description: `an http or https URL that holds {${name}}`,
  })
}

function object<T extends Record<string, Parameters<typeof Type.Optional>[0]>>(fields: T) {
  return Type.Object(fields, { additionalProperties: false, description: 'an object' })
}

export const networkFileSchema = object({
  $schema: Type.Optional(Type.String()),
  siteName: text,
  chain: object({
    id: Type.Integer({ minimum: 1, description: "the chain's id, a whole number from 1" }),
    name: text,
    nativeCurrency: object({ name: text, symbol: text, decimals }),
    rpcUrls: Type.Array(httpUrl, { minItems: 1, maxItems: 20, description: 'a list of 1 to 20 RPC URLs' }),
    publicRpcUrl: Type.Optional(httpUrl),
    confirmations: Type.Integer({
      minimum: 0,
      maximum: 10_000,
      description: 'blocks that may still change: a whole number from 0 to 10000',
    }),
    pollMs: Type.Optional(
      Type.Integer({ minimum: 50, maximum: 60_000, description: 'milliseconds between two looks at the chain, 50 to 60000' }),
    ),
    logRangeMax: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 1_000_000, description: 'the widest block range the node answers, 1 to 1000000' }),
    ),
  }),
  dex: object({
    name: text,
    factory: address,
    startBlock: blockNumber,
    swapUrl: template('address'),
    poolUrl: template('address'),
  }),
  wrappedNative: object({ address, symbol: text }),
  usdc: object({ address, decimals }),
  otherStables: Type.Optional(
    Type.Array(address, { maxItems: 20, description: 'addresses of further tokens worth one US dollar' }),
  ),
  explorer: Type.Optional(object({ txUrl: template('hash'), addressUrl: template('address') })),
  links: Type.Array(object({ label: text, url: httpUrl }), { maxItems: 20, description: 'a list of at most 20 links' }),
  brand: object({ accentDark: colour, accentLight: colour }),
  prices: object({
    sources: Type.Array(Type.Literal('index', { description: '"index"' }), {
      minItems: 1,
      maxItems: 1,
      description: 'the list ["index"]',
    }),
    depthFloorUsd: Type.Number({ minimum: 0, description: 'US dollars within 2 % of the price, a number from 0' }),
    staleAfterSeconds: Type.Optional(Type.Integer({ minimum: 10, description: 'a whole number of seconds from 10' })),
  }),
  index: object({ pools: Type.Union([Type.Literal('all'), Type.Literal('listed')], { description: '"all" or "listed"' }) }),
})

/** One network: its chain, its DEX, its links and how its prices are made. */
export type NetworkFile = Type.Static<typeof networkFileSchema>

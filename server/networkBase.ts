import { type OperatorRole, operatorRoles } from '@chainboard/core'
import { type Static, Type } from 'typebox'
import { address, httpUrl, object, socketUrl } from './networkFields.ts'

// The fields of `networks/<name>.json` that no price source adds. Every description reads as the end of "expected …".

const emailPattern = '^[A-Za-z0-9._%+-]+@[A-Za-z0-9.-]+\\.[A-Za-z0-9-]+$'
const email = Type.String({
  pattern: emailPattern,
  maxLength: 254,
  description: 'an e-mail address',
})
/** Where `security.txt` sends those who found a hole: RFC 9116 takes no http here. */
const securityContact = Type.String({
  pattern: `${emailPattern}|^https://[^\\s]+$`,
  maxLength: 2_000,
  description: 'an e-mail address or an https URL',
})
const text = Type.String({ minLength: 1, maxLength: 100, description: 'a text of 1 to 100 characters' })
const decimals = Type.Integer({ minimum: 0, maximum: 77, description: 'a whole number from 0 to 77' })
const colour = Type.String({ pattern: '^#[0-9a-fA-F]{6}$', description: 'a colour as #rrggbb' })
const picture = Type.String({
  pattern: '^[A-Za-z0-9_-][A-Za-z0-9._-]{0,99}\\.(svg|png|webp|jpg)$',
  description: "the name of a picture (.svg, .png, .webp, .jpg) in the list's folder logos/",
})
const role = Type.Unsafe<OperatorRole>(
  Type.String({ enum: [...operatorRoles], description: `one of ${operatorRoles.join(', ')}` }),
)
const blockNumber = Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER, description: 'a block number' })

function template(name: string) {
  return Type.String({
    pattern: `^https?://[^\\s]*\\{${name}\\}`,
    maxLength: 2_000,
    description: `an http or https URL that contains {${name}}`,
  })
}

/** Receipts go back 30 days, and compare with a week before: two whole months are 59 days at least. */
const monthsMin = 2
const months = Type.Integer({
  minimum: monthsMin,
  maximum: 1_200,
  description: `whole months from ${monthsMin} to 1200: receipts go back 30 days and compare with the week before`,
})

/** Half of the hour before that an opened index folds again. */
const windowSecondsMax = 1_800

/** `prices` without `sources`: which names it may have, only the registry knows. */
export const basePrices = {
  /** Tokens that price others, beside the stable coins and the wrapped native coin. */
  quotes: Type.Optional(Type.Array(address, { maxItems: 20, description: 'a list of at most 20 addresses' })),
  depthFloorUsd: Type.Number({
    minimum: 0,
    maximum: 1e12,
    description: 'US dollars within 2 % of the price, a number from 0 to 10^12',
  }),
  spreadMaxPercent: Type.Optional(
    Type.Number({
      minimum: 0,
      maximum: 1_000_000,
      description: 'percent by which a source may differ from the index without a note, a number from 0 to 1000000',
    }),
  ),
  staleAfterSeconds: Type.Optional(
    Type.Integer({ minimum: 10, maximum: 31_536_000, description: 'a whole number of seconds from 10 to 31536000' }),
  ),
  /** Prices are medians over so long. */
  windowSeconds: Type.Optional(
    Type.Integer({
      minimum: 60,
      maximum: windowSecondsMax,
      description: `a whole number of seconds from 60 to ${windowSecondsMax}`,
    }),
  ),
}

export const baseFields = {
  $schema: Type.Optional(Type.String()),
  siteName: text,
  chain: object({
    id: Type.Integer({
      minimum: 1,
      maximum: Number.MAX_SAFE_INTEGER,
      description: "the chain's id, a whole number from 1 to 2^53 - 1",
    }),
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
      Type.Integer({ minimum: 50, maximum: 60_000, description: 'milliseconds between two polls of the chain, 50 to 60000' }),
    ),
    logRangeMax: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 1_000_000, description: 'the widest block range the node accepts, 1 to 1000000' }),
    ),
    /** Deeper reorgs than this are not followed on the word of one node. */
    reorgDepthMax: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 1_000_000, description: 'blocks of the deepest usual reorg, 1 to 1000000' }),
    ),
    /** A test chain that may lose blocks or start over: the index follows at once, whatever it does. */
    mayRestart: Type.Optional(Type.Boolean({ description: 'true or false' })),
    /** The chain's Multicall3, where it does not stand at the usual address. */
    multicall: Type.Optional(address),
  }),
  dex: object({
    name: text,
    factory: address,
    startBlock: blockNumber,
    /** Contracts that act for their callers: position managers and routers. Wallets behind any other contract count as one. */
    periphery: Type.Optional(Type.Array(address, { maxItems: 50, description: 'a list of at most 50 addresses' })),
    /** Where a token is traded, where a pool is shown. Absent: there is no such link. */
    swapUrl: Type.Optional(template('address')),
    poolUrl: Type.Optional(template('address')),
  }),
  /** `isCoin`: the contract tells of the native coin itself (Celo), so that both are the same money. */
  wrappedNative: object({ address, symbol: text, isCoin: Type.Optional(Type.Boolean({ description: 'true or false' })) }),
  usdc: object({ address, decimals }),
  otherStables: Type.Optional(
    Type.Array(address, { maxItems: 20, description: 'addresses of further tokens worth one US dollar' }),
  ),
  /** Whose pages may call `POST /rpc`. Absent: `off` with a `chain.publicRpcUrl`, `site` without. */
  rpc: Type.Optional(
    Type.Union([Type.Literal('off'), Type.Literal('site'), Type.Literal('open')], {
      description: '"off", "site" or "open": "on" is now called "site"',
    }),
  ),
  /** The boost contract, and the block it was created in or one before: `npm run deploy-boost` prints both. */
  boost: Type.Optional(object({ address, startBlock: blockNumber })),
  explorer: Type.Optional(object({ txUrl: template('hash'), addressUrl: template('address') })),
  links: Type.Array(object({ label: text, url: httpUrl }), { maxItems: 20, description: 'a list of at most 20 links' }),
  /** Who sells keys of the price API, and helps with it; `security`: whom to tell of a hole, in `/.well-known/security.txt`. */
  contact: Type.Optional(
    object({ email: Type.Optional(email), chatUrl: Type.Optional(httpUrl), security: Type.Optional(securityContact) }),
  ),
  /** `preview` (1200 x 630, no .svg) is what others show of a link to the site. */
  brand: object({
    accentDark: colour,
    accentLight: colour,
    logo: Type.Optional(picture),
    preview: Type.Optional(picture),
  }),
  /** Wallets that anybody may use, offered beside the visitor's own: on a local test chain alone, their keys are public. */
  demoWallets: Type.Optional(
    Type.Array(
      object({
        name: text,
        privateKey: Type.String({ pattern: '^0x[0-9a-fA-F]{64}$', description: 'a private key: 0x and 64 hexadecimal digits' }),
      }),
      { maxItems: 5, description: 'a list of at most 5 wallets' },
    ),
  ),
  /** Offers WalletConnect: wallets on other devices, through a relay of a third party. `relayUrl` absent: the public relay. */
  walletConnect: Type.Optional(
    object({
      projectId: Type.String({
        pattern: '^[0-9a-fA-F]{32}$',
        description: 'the project id that the relay gave you: 32 hexadecimal digits',
      }),
      relayUrl: Type.Optional(socketUrl),
    }),
  ),
  /** Wallets that may enter the operators' panel, owners where no role is named; ADMIN_WALLETS stands in. */
  adminWallets: Type.Optional(
    Type.Array(Type.Union([address, object({ wallet: address, role })], { description: 'an address, or {"wallet", "role"}' }), {
      maxItems: 50,
      description: 'a list of at most 50 addresses, or objects of an address and a role',
    }),
  ),
  /** Whether operators may edit in the panel what the site features. Absent: no, the files alone count. */
  panelEdits: Type.Optional(Type.Boolean({ description: 'true or false' })),
  /** Whether a key is deleted only after a second owner has asked for it, too. Absent: no. */
  twoOwnersDelete: Type.Optional(Type.Boolean({ description: 'true or false' })),
  /** `withoutStables`: `usdc` and `otherStables` take no places among the trending tokens. */
  trending: Type.Optional(object({ withoutStables: Type.Optional(Type.Boolean({ description: 'true or false' })) })),
  /** A list in the tokenlists.org format, whose tokens come behind those of the network's own list. */
  tokenList: Type.Optional(object({ url: httpUrl })),
  index: object({
    pools: Type.Union([Type.Literal('all'), Type.Literal('listed'), Type.Literal('none')], {
      description: '"all", "listed" or "none"',
    }),
  }),
  /** For how many months, before that of the newest event, swaps and hours are kept: of hours as many at least. Absent: permanently. Days are. */
  retention: Type.Optional(object({ swapMonths: months, hourMonths: Type.Optional(months) })),
}

const baseSchema = object({ ...baseFields, prices: object({ ...basePrices, sources: Type.Array(Type.String()) }) })

/** A network file as every price source may read it: without the fields of others. */
export type NetworkBase = Static<typeof baseSchema>

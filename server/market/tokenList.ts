import { type Address, fieldsOf, toLowerHex } from '@chainboard/core'
import { Type } from 'typebox'

const link = Type.String({ maxLength: 2_000, description: 'a URL of at most 2000 characters' })
const address = Type.String({ pattern: '^0x[0-9a-fA-F]{40}$', description: 'an address: 0x and 40 hexadecimal digits' })

/**
 * How a staking contract is asked what a wallet has staked. `balanceOf`, `stakedBalance`: the function of that name, of an
 * address. `userInfo`: MasterChef's, whose first word is the amount; with `stakingPool` it is asked for that pool.
 */
export const stakingAdapters = ['balanceOf', 'stakedBalance', 'userInfo'] as const

/** One entry of a list. Whatever is shown of it is escaped where it is shown. */
export const tokenSchema = Type.Object(
  {
    name: Type.String({ minLength: 1, maxLength: 20_000, description: 'a name of 1 to 20000 characters' }),
    symbol: Type.String({ minLength: 1, maxLength: 1_000, description: 'a symbol of 1 to 1000 characters' }),
    address,
    decimals: Type.Integer({ minimum: 0, maximum: 77, description: 'a whole number from 0 to 77' }),
    logo: Type.String({ maxLength: 2_000, description: 'a path on this server or a URL' }),
    category: Type.String({ maxLength: 200, description: 'a text of at most 200 characters' }),
    verified: Type.Boolean({ description: 'true or false' }),
    /** Without it the total supply on the chain counts. */
    supply: Type.Optional(Type.Number({ minimum: 0, maximum: 1e78, description: 'whole tokens, a number from 0 to 10^78' })),
    stakingContract: Type.Optional(address),
    /** `balanceOf` when absent. */
    stakingAdapter: Type.Optional(
      Type.Unsafe<(typeof stakingAdapters)[number]>(
        Type.String({ enum: [...stakingAdapters], description: `one of ${stakingAdapters.join(', ')}` }),
      ),
    ),
    stakingPool: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: Number.MAX_SAFE_INTEGER,
        description: "a pool's number, a whole number from 0 to 2^53 - 1",
      }),
    ),
    website: Type.Optional(link),
    X: Type.Optional(link),
    telegram: Type.Optional(link),
    cmcUrl: Type.Optional(link),
    coingeckoUrl: Type.Optional(link),
    lockTimer: Type.Optional(Type.String({ pattern: '^\\d{4}-\\d{2}-\\d{2}', maxLength: 40, description: 'an ISO 8601 date' })),
    lockUrl: Type.Optional(link),
    priceInfo: Type.Optional(
      Type.Object(
        {
          poolAddress: address,
          baseToken: Type.Object(
            { symbol: Type.String({ maxLength: 1_000 }) },
            { additionalProperties: false, description: '{ "symbol": … }' },
          ),
          feeTier: Type.Integer({ minimum: 0, maximum: 1_000_000, description: 'the fee in millionths, 0 to 1000000' }),
        },
        { additionalProperties: false, description: '{ poolAddress, baseToken, feeTier }' },
      ),
    ),
  },
  { additionalProperties: false, description: 'a token' },
)

/** Entries of a list, at most. */
export const listedMax = 50_000

/** A list as an array, the older shape of the file. */
export const tokenListSchema = Type.Array(tokenSchema, {
  maxItems: listedMax,
  description: `a list of at most ${listedMax} tokens`,
})

/** A list in an object, so that the file can name its schema to editors. */
export const tokenListFileSchema = Type.Object(
  { $schema: Type.Optional(Type.String()), tokens: tokenListSchema },
  { additionalProperties: false, description: 'a list of tokens, or { "$schema": …, "tokens": a list of tokens }' },
)

/** Which of the two shapes a list's file has, and so what is wrong with it. */
export function pickListSchema(file: unknown): typeof tokenListSchema | typeof tokenListFileSchema {
  return isNoList(file) ? tokenListFileSchema : tokenListSchema
}

/** The entries of a list's file of either shape; what has none is handed back for its problems to be found. */
export function toEntries(file: unknown): unknown {
  return isNoList(file) ? fieldsOf(file)['tokens'] : file
}

function isNoList(file: unknown): boolean {
  return typeof file === 'object' && file !== null && !Array.isArray(file)
}

/** Featured tokens, in the order in which they are shown. */
export const highlightedSchema = Type.Array(address, { maxItems: 100, description: 'a list of at most 100 addresses' })

export type TokenListEntry = Type.Static<typeof tokenSchema>

/** A token of the list. `id` is its address in lower case, by which everything else knows it. */
export type ListedToken = TokenListEntry & { readonly id: Address }

/** The list and the featured part of it. */
export type TokenList = { readonly tokens: readonly ListedToken[]; readonly highlighted: readonly ListedToken[] }

/** @param entries that the schemas have passed, without duplicates */
export function toTokenList(entries: readonly TokenListEntry[], highlighted: readonly string[]): TokenList {
  const tokens = entries.map((entry) => ({ ...entry, id: toLowerHex(entry.address) }))
  const byId = new Map(tokens.map((token) => [token.id, token]))
  return { tokens, highlighted: highlighted.flatMap((text) => byId.get(toLowerHex(text)) ?? []) }
}

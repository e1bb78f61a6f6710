import { type Address, oneE18, rawToNumber } from '@chainboard/core'
import type { Chain } from '../chain/chain.ts'
import { readContract } from '../chain/readContract.ts'
import { type Asker, unsettled } from './asker.ts'
import type { InitFlags } from './initFlags.ts'
import { parseAddresses, parseTokens } from './parseFlags.ts'
import { type DollarCandidate, isCalledDollar, pickStables } from './pickStables.ts'
import type { SurveyedPool } from './readPools.ts'
import { type ReadToken, readTokens } from './readTokens.ts'
import type { ListableToken } from './toFiles.ts'
import { listMoneySides, type Money, reserveKey, type TokenValue, valueTokens } from './valueTokens.ts'

/** Tokens that are asked for their names. */
const namesMax = 600
const listedDefault = 100
/** Dollars within 2 % of the price that a token of the first list trades, as `prices.depthFloorUsd` wants them. */
const floorUsdE18 = 50n * oneE18
const shownMax = 10

/** Ends the sentence "expected …". */
export const stablesWanted = 'the tokens worth one US dollar, the main one first, separated by commas'

export type MarketDeps = {
  readonly calls: Pick<Chain, 'forward'>
  readonly flags: InitFlags
  readonly asker: Asker
  readonly say: (line: string) => void
  readonly pools: readonly SurveyedPool[]
  readonly wrapped: Address
}

/** What the network file and the first list say of tokens. */
export type SurveyedMarket = {
  readonly wrapped: ListableToken
  readonly stables: readonly [ListableToken, ...ListableToken[]]
  /** Others that have a price, the deepest first. */
  readonly others: readonly ListableToken[]
}

/** Finds the dollars among an exchange's tokens, then all tokens that have a price in them. */
export async function surveyMarket(deps: MarketDeps): Promise<SurveyedMarket> {
  const { calls, pools, flags, say } = deps
  const near = [...new Set([deps.wrapped, ...pools.flatMap(({ token0, token1 }) => [token0, token1])])]
  const tokens = await readTokens(calls, near.slice(0, namesMax))
  const wrapped = toListable(tokens.get(deps.wrapped), '--wrapped')
  const stables = await settleStables(deps, tokens, wrapped)
  const ranked = await rankTokens(deps, tokens, { wrapped, stables })
  const most = flags.tokens === undefined ? listedDefault : parseTokens(flags.tokens)
  if (most === undefined)
    throw unsettled([{ field: '--tokens', found: 'something else', wanted: 'a whole number from 1 to 1000' }])
  const others = ranked.slice(0, Math.max(0, most - 1 - stables.length))
  say(`${1 + stables.length + others.length} tokens for the first list; ${countSilent(tokens)} have no decimals`)
  sayTwins(others, say)
  return { wrapped, stables, others }
}

async function settleStables(
  { calls, pools, flags, asker, say }: MarketDeps,
  tokens: ReadonlyMap<Address, ReadToken>,
  wrapped: ListableToken,
): Promise<readonly [ListableToken, ...ListableToken[]]> {
  const proposal = flags.stables === undefined ? await proposeStables({ calls, pools, say }, tokens, wrapped) : undefined
  const addresses = await asker.settle({
    ...{ flag: 'stables', what: stablesWanted },
    ...{ given: flags.stables, proposal, parse: parseAddresses },
  })
  const unknown = addresses.filter((address) => !tokens.has(address))
  const read = new Map([...tokens, ...(await readTokens(calls, unknown))])
  const [main, ...rest] = addresses
  return [toListable(read.get(main), '--stables'), ...rest.map((address) => toListable(read.get(address), '--stables'))]
}

type Asked = Pick<MarketDeps, 'calls' | 'pools'>

/** @returns the addresses split by commas; undefined: nothing was found, or what was found contradicts itself */
async function proposeStables(
  { calls, pools, say }: Asked & Pick<MarketDeps, 'say'>,
  tokens: ReadonlyMap<Address, ReadToken>,
  wrapped: ListableToken,
): Promise<string | undefined> {
  const called = [...tokens.values()].filter(({ symbol, address }) => isCalledDollar(symbol) && address !== wrapped.address)
  const coin = new Map([[wrapped.address, { decimals: wrapped.decimals, valueE18: oneE18 }]])
  const values = await readValues({ calls, pools }, tokens, coin)
  const candidates = called.flatMap(({ address, symbol }): DollarCandidate[] => {
    const value = values.get(address)
    return value ? [{ address, symbol, valueE18: value.valueE18, depthE18: value.depthE18 }] : []
  })
  const { stables, leftOut, doubt } = pickStables(candidates)
  for (const { address, symbol, depthE18 } of stables)
    say(`Found dollar ${symbol} ${address}: ${show(depthE18)} ${wrapped.symbol} trade against it within 2 % of the price`)
  for (const { token, why } of leftOut.slice(0, shownMax)) say(`Left out ${token.symbol} ${token.address}: ${why}`)
  for (const { address, symbol } of called.filter(({ address }) => !values.has(address)).slice(0, shownMax))
    say(`Left out ${symbol} ${address}: it does not trade against ${wrapped.symbol}`)
  if (doubt !== undefined) say(`It is unclear which tokens are dollars: ${doubt}`)
  return doubt !== undefined || stables.length === 0 ? undefined : stables.map(({ address }) => address).join(',')
}

type Moneys = { readonly wrapped: ListableToken; readonly stables: readonly ListableToken[] }

/** Tokens other than the moneys, in dollars: the deepest first, without those that are too shallow for a price. */
async function rankTokens(
  deps: MarketDeps,
  tokens: ReadonlyMap<Address, ReadToken>,
  { wrapped, stables }: Moneys,
): Promise<ListableToken[]> {
  const dollars = new Map<Address, Money>(stables.map(({ address, decimals }) => [address, { decimals, valueE18: oneE18 }]))
  const coin = (await readValues(deps, tokens, dollars)).get(wrapped.address)
  if (coin) dollars.set(wrapped.address, { decimals: wrapped.decimals, valueE18: coin.valueE18 })
  deps.say(coin ? `A ${wrapped.symbol} is ${show(coin.valueE18)} US dollars` : `${wrapped.symbol} trades against no dollar`)
  const values = await readValues(deps, tokens, dollars)
  return [...values]
    .filter(([address, { depthE18 }]) => !dollars.has(address) && address !== wrapped.address && depthE18 >= floorUsdE18)
    .sort(([, a], [, b]) => (b.depthE18 > a.depthE18 ? 1 : b.depthE18 < a.depthE18 ? -1 : 0))
    .flatMap(([address]) => {
      const token = tokens.get(address)
      return token && isListable(token) ? [token] : []
    })
}

async function readValues(
  { calls, pools }: Asked,
  tokens: ReadonlyMap<Address, ReadToken>,
  moneys: ReadonlyMap<Address, Money>,
): Promise<Map<Address, TokenValue>> {
  const sides = listMoneySides(pools, moneys)
  const held = await Promise.all(
    sides.map(({ pool, money }) => readContract(calls, { to: money, name: 'balanceOf', args: [pool.address] })),
  )
  const reserves = new Map(sides.map(({ pool, money }, i) => [reserveKey(pool.address, money), held[i] ?? 0n]))
  const decimals = new Map([...tokens].flatMap(([address, token]) => (isListable(token) ? [[address, token.decimals]] : [])))
  return valueTokens({ pools, moneys, decimals, reserves })
}

function isListable(token: ReadToken): token is ListableToken {
  return token.decimals !== undefined
}

function toListable(token: ReadToken | undefined, field: string): ListableToken {
  if (token && isListable(token)) return token
  throw unsettled([{ field, found: `${token?.address ?? 'a contract'}, which reports no decimals`, wanted: 'a token' }])
}

function countSilent(tokens: ReadonlyMap<Address, ReadToken>): number {
  return [...tokens.values()].filter((token) => !isListable(token)).length
}

function sayTwins(tokens: readonly ReadToken[], say: (line: string) => void): void {
  const bySymbol = Map.groupBy(tokens, ({ symbol }) => symbol.toLowerCase())
  for (const twins of [...bySymbol.values()].filter(({ length }) => length > 1).slice(0, shownMax))
    say(`${twins.length} tokens use the symbol ${twins[0]?.symbol}: check which of them belong on the list`)
}

/** Four significant digits. */
function show(valueE18: bigint): string {
  return String(Number(rawToNumber(valueE18, 18).toPrecision(4)))
}

import { type Address, e18ToNumber, hopPrice, oneE18, parseAddress, percentChange, timesFraction } from '@chainboard/core'
import type { NetworkFile } from '../../networkFileSchema.ts'
import type { SourceReading } from '../source.ts'
import type { ListedToken, TokenList } from '../tokenList.ts'
import type { CmcBook } from './cmcBook.ts'
import { type CmcWords, sayError, sayWell } from './cmcWords.ts'

export type DexDesk = {
  readonly network: Pick<NetworkFile, 'chain' | 'dex' | 'cmc'>
  readonly list: TokenList
  /** Undefined: there is no key. */
  readonly book: CmcBook | undefined
  /** What the chain says: the index, or a subgraph. */
  readonly onChain: Pick<SourceReading, 'atBlock' | 'answers' | 'poolVolumes'> | undefined
  readonly nowMs: number
}

/**
 * A pair of the DEX side in CoinMarketCap's words: its own newest answer where one is kept, else the same from the chain, for
 * pools that price or display a listed token. Pure. Other pools have no data, as unknown ones have at CoinMarketCap.
 */
export function answerDex(poolText: string, networkSlug: string, desk: DexDesk): CmcWords {
  const { network, book, nowMs } = desk
  if (network.cmc && networkSlug.toLowerCase() !== network.cmc.network.toLowerCase())
    return sayError(400, '400', 'network is not supported', nowMs)
  const pool = parseAddress(poolText)
  if (!pool) return sayError(400, '400', `Invalid value for "contract_address": "${poolText}"`, nowMs)
  const pair = book?.findPair(pool)
  if (pair) return sayWell([pair.row], pair.timestamp, '0')
  const side = findSide(pool, desk)
  const atMs = (desk.onChain?.atBlock?.timestampSeconds ?? 0) * 1000
  const timestamp = new Date(side ? atMs : nowMs).toISOString()
  return sayWell(
    side
      ? [toRow(side, { pool, networkSlug, timestamp, volumeUsdE18: desk.onChain?.poolVolumes?.get(pool) ?? 0n }, network)]
      : [],
    timestamp,
    '0',
  )
}

/** A pool as a listed token sees it: the token is the pair's base asset. Figures are US dollars x 10^18 but the first. */
type Side = {
  readonly token: ListedToken
  /** Whole tokens; undefined when neither the list nor the chain says. */
  readonly supply: number | undefined
  readonly quoteAddress: Address
  readonly quoteSymbol: string
  readonly quoteName: string
  /** Whole quote assets for a whole token x 10^18. */
  readonly inQuoteE18: bigint
  readonly usdE18: bigint
  readonly dayAgoUsdE18: bigint | undefined
}

/** The first listed token that the pool is the way to US dollars of, else the first that it is shown with. */
function findSide(pool: Address, { list, onChain }: DexDesk): Side | undefined {
  const quoted = list.tokens.flatMap((token) => {
    const answer = onChain?.answers.get(token.id)
    return answer?.kind === 'quoted' ? [{ token, ...answer, supply: token.supply ?? answer.supply }] : []
  })
  const nameOf = (address: Address, symbol: string) => list.tokens.find(({ id }) => id === address)?.name ?? symbol
  for (const { token, supply, quote } of quoted) {
    const hop = quote.route[0]
    if (hop?.pool !== pool) continue
    const inQuoteE18 = timesFraction(oneE18, hopPrice(hop, hop.sqrtPriceX96))
    const names = { quoteAddress: hop.quote, quoteSymbol: hop.quoteSymbol, quoteName: nameOf(hop.quote, hop.quoteSymbol) }
    return { token, supply, ...names, inQuoteE18, ...quote }
  }
  for (const { token, supply, quote, displayPool } of quoted) {
    if (displayPool?.pool !== pool) continue
    const { baseIsToken0, token0, token1, quoteSymbol, priceE18 } = displayPool
    const quoteAddress = baseIsToken0 ? token1 : token0
    return {
      token,
      supply,
      quoteAddress,
      quoteSymbol,
      quoteName: nameOf(quoteAddress, quoteSymbol),
      inQuoteE18: priceE18,
      ...quote,
    }
  }
  return undefined
}

/** `volumeUsdE18`: of the pool, in 24 hours. */
type Place = {
  readonly pool: Address
  readonly networkSlug: string
  readonly timestamp: string
  readonly volumeUsdE18: bigint
}

/** We have no ids of CoinMarketCap's. */
const noId = '0'

function toRow(side: Side, { pool, networkSlug, timestamp, volumeUsdE18 }: Place, { dex }: DexDesk['network']) {
  const { token, usdE18, dayAgoUsdE18, supply } = side
  const changePercent = dayAgoUsdE18 === undefined ? undefined : percentChange(dayAgoUsdE18, usdE18)
  return {
    contract_address: pool,
    name: `${token.symbol}/${side.quoteSymbol}`,
    base_asset_id: noId,
    base_asset_ucid: null,
    base_asset_name: token.name,
    base_asset_symbol: token.symbol,
    base_asset_contract_address: token.address,
    quote_asset_id: noId,
    quote_asset_ucid: null,
    quote_asset_name: side.quoteName,
    quote_asset_symbol: side.quoteSymbol,
    quote_asset_contract_address: side.quoteAddress,
    dex_id: noId,
    dex_slug: dex.name.toLowerCase().replace(/[^a-z0-9]+/g, '-'),
    network_id: noId,
    network_slug: networkSlug,
    last_updated: timestamp,
    quote: [
      {
        convert_id: '2781',
        price: e18ToNumber(usdE18),
        price_by_quote_asset: e18ToNumber(side.inQuoteE18),
        last_updated: timestamp,
        volume_24h: e18ToNumber(volumeUsdE18),
        percent_change_price_1h: null,
        // A fraction, as CoinMarketCap has it.
        percent_change_price_24h: changePercent === undefined ? null : changePercent / 100,
        liquidity: null,
        fully_diluted_value: supply === undefined ? null : e18ToNumber(usdE18) * supply,
      },
    ],
  }
}

import type { EntityName } from './entity.ts'

const gross = 'US dollars of every swap, gross: each at the prices at the end of its block. Self-trading counts.'
const sameAs = (name: string) => `The same as ${name}: there is one figure.`
const fees = 'US dollars: the fee of every swap, by its dollars in volumeUSD.'
const bothSides =
  'US dollars of both tokens by the prices at the end of its block, which are medians; 0 when nothing had a price.'
const held = 'US dollars of what it holds by the prices at the end of the last block that changed it, which are medians.'
const traded = 'A traded price, token0 for one token1; prices in US dollars are medians, these are not.'
const tokenPrice = 'US dollars per whole token: the median over its pools and over the price window at the ends of blocks.'

const totals: Readonly<Record<string, string>> = {
  volumeUSD: gross,
  untrackedVolumeUSD: sameAs('volumeUSD'),
  feesUSD: fees,
}
const values: Readonly<Record<string, string>> = {
  totalValueLockedUSD: held,
  totalValueLockedUSDUntracked: sameAs('totalValueLockedUSD'),
  tvlUSD: held,
}
const events: Readonly<Record<string, string>> = { amountUSD: bothSides }
const poolPrices: Readonly<Record<string, string>> = { open: traded, high: traded, low: traded, close: traded }
const tokenPrices: Readonly<Record<string, string>> = {
  priceUSD: tokenPrice,
  open: `${tokenPrice} The first one of the period.`,
  high: `${tokenPrice} The highest one of the period.`,
  low: `${tokenPrice} The lowest one of the period.`,
  close: sameAs('priceUSD'),
}

/** What fields say that is not what the reference subgraph says, for introspection. */
const words: Readonly<Partial<Record<EntityName, Readonly<Record<string, string>>>>> = {
  Factory: {
    ...values,
    totalVolumeUSD: gross,
    untrackedVolumeUSD: sameAs('totalVolumeUSD'),
    totalFeesUSD: fees,
  },
  Bundle: {
    ethPriceUSD: "US dollars per wrapped native coin: a median like token prices, not the last trade's price.",
  },
  Token: {
    ...totals,
    ...values,
    totalSupply: 'Smallest units, refreshed every few minutes, so mints, burns and rebases show.',
    derivedETH: 'The price in the wrapped native coin: both in US dollars, medians over pools and over the price window.',
  },
  Pool: { ...totals, ...values },
  Mint: events,
  Burn: events,
  Collect: events,
  Flash: events,
  Swap: {
    amountUSD:
      'US dollars of the side nearer to US dollars, by its price at the end of the block, which is a median; 0 when nothing had a price.',
  },
  UniswapDayData: { ...values, volumeUSD: gross, volumeUSDUntracked: sameAs('volumeUSD'), feesUSD: fees },
  PoolDayData: { ...totals, ...values, ...poolPrices },
  PoolHourData: { ...totals, ...values, ...poolPrices },
  TokenDayData: { ...totals, ...values, ...tokenPrices },
  TokenHourData: { ...totals, ...values, ...tokenPrices },
}

/** The description of a field; undefined where the reference's meaning holds. */
export function findFieldWords(entity: EntityName, field: string): string | undefined {
  return words[entity]?.[field]
}

// What the server says after a block, and what its index holds.
import type { WireStatus, WireToken } from '@chainboard/contract'
import type { Price } from '@chainboard/sdk'
import { createHttpClient, type HttpClient } from '../httpClient.ts'
import { poll } from '../waiting.ts'
import type { HonestMarket } from './honestMarket.ts'
import type { Sample } from './sample.ts'

export type Head = { readonly number: number; readonly seconds: number }

/** Dollars in the index, by what they are of. */
export type Stored = ReadonlyMap<string, number>

export type SiteReader = {
  /** Waits until the block is served, and reads the prices. @throws Error when that takes too long */
  sample(head: Head, honest: HonestMarket): Promise<Sample>
  /** Waits until the server knows who signed the swaps of the day. @throws Error when that takes too long */
  waitForOrigins(): Promise<void>
  /** @param fromSeconds start of the first hour wanted */
  readStored(fromSeconds: number): Promise<Stored>
  close(): void
}

/** Fields that a server may not serve. */
type Token = WireToken & {
  readonly priceLow?: number | null
  readonly priceHigh?: number | null
  readonly organicVolume24h?: number | null
  readonly organicCoverage?: number | null
  readonly costToMove10Percent?: number | null
}

type Trending = WireToken & { readonly costOfPlaceUsd?: number | null }

const servedMsMax = 30_000
/** A server looks for senders of swaps in turns, seconds apart. */
const originsMsMax = 180_000
const originsEveryMs = 500
/** Part of a token's volume whose senders are known. */
const originsKnown = 0.99
const placesOfTrending = 5
const rowsMax = 1_000
const storedQuery = `query ($from: Int!) {
  factories { totalValueLockedUSD }
  pools(first: ${rowsMax}) { id totalValueLockedUSD }
  poolHourDatas(first: ${rowsMax}, where: { periodStartUnix_gte: $from }) { periodStartUnix volumeUSD pool { id } }
  poolDayDatas(first: ${rowsMax}, where: { date_gte: $from }) { date volumeUSD pool { id } }
}`

export function createSiteReader(url: string, signal: AbortSignal): SiteReader {
  const client = createHttpClient(url)
  const waitFor = (head: Head) => {
    const isServed = async () => {
      const status = await readJson<WireStatus>(client, '/api/status')
      return status.block === head.number && status.blockTime === head.seconds ? true : undefined
    }
    return poll(isServed, { what: `block ${head.number} in the index`, everyMs: 10, msMax: servedMsMax, signal })
  }
  const readTokens = (head: Head) => {
    // A stable coin has a price of the newest block.
    const readNew = async () => {
      const tokens = await readJson<Token[]>(client, '/assets.json')
      return tokens.some(({ symbol, priceAsOf }) => symbol === 'USDC' && priceAsOf === head.seconds) ? tokens : undefined
    }
    return poll(readNew, { what: `prices of block ${head.number}`, everyMs: 10, msMax: servedMsMax, signal })
  }
  return {
    sample: async (head, honest) => {
      await waitFor(head)
      const tokens = await readTokens(head)
      const { data } = await readJson<{ data: Price[] }>(client, '/api/v1/prices')
      const trending = await readJson<Trending[]>(client, '/api/trending')
      return {
        block: head.number,
        seconds: head.seconds,
        trending: trending.map(({ symbol }) => symbol),
        costOfPlaceUsd: trending[placesOfTrending - 1]?.costOfPlaceUsd ?? 0,
        tokens: tokens.map((token) => ({
          symbol: token.symbol,
          honestUsd: honest.usdOf(token.symbol),
          servedUsd: token.priceInUsd,
          apiUsd: data.find(({ address }) => address === token.address)?.usdPrice ?? 0,
          status: token.priceStatus,
          reasons: [...token.priceReasons, ...token.warnings.map(({ text }) => text)],
          lowUsd: token.priceLow ?? undefined,
          highUsd: token.priceHigh ?? undefined,
          confidence: token.confidence,
          isShort: token.warnings.some(({ code }) => code === 'pool-short'),
          volumeUsd: token.volume24h ?? 0,
          organicUsd: token.organicVolume24h ?? undefined,
          costToMoveUsd: token.costToMove10Percent ?? undefined,
        })),
      }
    },
    waitForOrigins: async () => {
      const areKnown = async () => {
        const tokens = await readJson<Token[]>(client, '/assets.json')
        const traded = tokens.filter(({ volume24h, priceStatus }) => priceStatus !== 'unpriced' && (volume24h ?? 0) > 0)
        return traded.every(({ organicCoverage }) => (organicCoverage ?? 0) >= originsKnown) || undefined
      }
      await poll(areKnown, { what: 'the senders of all swaps', everyMs: originsEveryMs, msMax: originsMsMax, signal })
    },
    readStored: async (fromSeconds) => {
      const variables = { from: fromSeconds }
      const { body } = await client.post('/subgraph', JSON.stringify({ query: storedQuery, variables }))
      const answer = JSON.parse(body) as { data?: Rows; errors?: unknown }
      if (!answer.data) throw new Error(`the subgraph refused: ${JSON.stringify(answer.errors)}`)
      const tokens = await readJson<WireToken[]>(client, '/assets.json')
      return toStored(answer.data, tokens)
    },
    close: client.close,
  }
}

type Period = { readonly volumeUSD: string; readonly pool: { readonly id: string } }
type Rows = {
  readonly factories: readonly { readonly totalValueLockedUSD: string }[]
  readonly pools: readonly { readonly id: string; readonly totalValueLockedUSD: string }[]
  readonly poolHourDatas: readonly (Period & { readonly periodStartUnix: number })[]
  readonly poolDayDatas: readonly (Period & { readonly date: number })[]
}

function toStored(rows: Rows, tokens: readonly WireToken[]): Stored {
  return new Map([
    // Without a price there is no volume on the wire.
    ...tokens.flatMap(({ symbol, volume24h, priceStatus }) =>
      priceStatus === 'unpriced' ? [] : [[`volume24h ${symbol}`, volume24h ?? 0] as const],
    ),
    ...rows.factories.map(({ totalValueLockedUSD }) => ['TVL all', Number(totalValueLockedUSD)] as const),
    ...rows.pools.map(({ id, totalValueLockedUSD }) => [`TVL ${id}`, Number(totalValueLockedUSD)] as const),
    ...rows.poolHourDatas.map(
      ({ pool, periodStartUnix, volumeUSD }) => [`hour ${periodStartUnix} ${pool.id}`, Number(volumeUSD)] as const,
    ),
    ...rows.poolDayDatas.map(({ pool, date, volumeUSD }) => [`day ${date} ${pool.id}`, Number(volumeUSD)] as const),
  ])
}

async function readJson<T>(client: HttpClient, path: string): Promise<T> {
  const { status, body } = await client.get(path)
  if (status !== 200) throw new Error(`${path}: status ${status}, ${body.slice(0, 200)}`)
  return JSON.parse(body) as T
}

// The server's answers after a block, and the dollars in its index.
import { routes, type WireToken } from '@chainboard/contract'
import { type Static, type TSchema, Type } from 'typebox'
import { parseJson } from '../checkShape.ts'
import { createHttpClient, type HttpClient } from '../httpClient.ts'
import { NotMeasured } from '../notMeasured.ts'
import { poll } from '../waiting.ts'
import type { HonestMarket } from './honestMarket.ts'
import type { Sample } from './sample.ts'

/** The newest block. */
export type Head = { readonly number: number; readonly seconds: number }

/** Dollars in the index, by name. */
export type Stored = ReadonlyMap<string, number>

/** Reads from one server. */
export type SiteReader = {
  /** Waits until the block is served, and reads the prices. @throws NotMeasured when that takes too long */
  sample(head: Head, honest: HonestMarket): Promise<Sample>
  /** Waits until the server knows who signed the swaps of the day. @throws NotMeasured when that takes too long */
  waitForOrigins(): Promise<void>
  /** Dollars in the index. @param fromSeconds start of the first hour */
  readStored(fromSeconds: number): Promise<Stored>
  close(): void
}

const statusSchema = routes.getStatus.schema.response[200]
const tokensSchema = routes.listTokens.schema.response[200]
const pricesSchema = routes.listPrices.schema.response[200]
const trendingSchema = routes.listTrending.schema.response[200]

const servedMsMax = 30_000
/** A server reads the senders of swaps every few seconds. */
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

/** Reads from the server at a URL. */
export function createSiteReader(url: string, signal: AbortSignal): SiteReader {
  const client = createHttpClient(url)
  const waitFor = (head: Head) => {
    const isServed = async () => {
      const status = await readJson(client, '/api/status', statusSchema)
      return status.block === head.number && status.blockTime === head.seconds ? true : undefined
    }
    return poll(isServed, { what: `block ${head.number} in the index`, everyMs: 10, msMax: servedMsMax, signal })
  }
  const readTokens = (head: Head) => {
    // A stable coin has a price of the newest block.
    const readNew = async () => {
      const tokens = await readJson(client, '/assets.json', tokensSchema)
      return tokens.some(({ symbol, priceAsOf }) => symbol === 'USDC' && priceAsOf === head.seconds) ? tokens : undefined
    }
    return poll(readNew, { what: `prices of block ${head.number}`, everyMs: 10, msMax: servedMsMax, signal })
  }
  return {
    sample: async (head, honest) => {
      await waitFor(head)
      const tokens = await readTokens(head)
      const { data } = await readJson(client, '/api/v1/prices', pricesSchema)
      const trending = await readJson(client, '/api/trending', trendingSchema)
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
        const tokens = await readJson(client, '/assets.json', tokensSchema)
        const traded = tokens.filter(({ volume24h, priceStatus }) => priceStatus !== 'unpriced' && (volume24h ?? 0) > 0)
        return traded.every(({ organicCoverage }) => (organicCoverage ?? 0) >= originsKnown) || undefined
      }
      await poll(areKnown, { what: 'the senders of all swaps', everyMs: originsEveryMs, msMax: originsMsMax, signal })
    },
    readStored: async (fromSeconds) => {
      const variables = { from: fromSeconds }
      const { body } = await client.post('/subgraph', JSON.stringify({ query: storedQuery, variables }))
      const { data } = parseJson(rowsSchema, body, 'The subgraph')
      const tokens = await readJson(client, '/assets.json', tokensSchema)
      return toStored(data, tokens)
    },
    close: client.close,
  }
}

const volume = { volumeUSD: Type.String(), pool: Type.Object({ id: Type.String() }) }
const rowsSchema = Type.Object({
  data: Type.Object({
    factories: Type.Array(Type.Object({ totalValueLockedUSD: Type.String() })),
    pools: Type.Array(Type.Object({ id: Type.String(), totalValueLockedUSD: Type.String() })),
    poolHourDatas: Type.Array(Type.Object({ ...volume, periodStartUnix: Type.Integer() })),
    poolDayDatas: Type.Array(Type.Object({ ...volume, date: Type.Integer() })),
  }),
})
type Rows = Static<typeof rowsSchema>['data']

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

async function readJson<S extends TSchema>(client: HttpClient, path: string, schema: S): Promise<Static<S>> {
  const { status, body } = await client.get(path)
  if (status !== 200) throw new NotMeasured(`${path} answered ${status}: ${body.slice(0, 200)}`)
  return parseJson(schema, body, path)
}

import { Readable } from 'node:stream'
import { routes, type WireFeed, type WireFeedSwap } from '@chainboard/contract'
import { type Address, Failure, numberToE18, parseAddress, rawToDecimal, toCsv } from '@chainboard/core'
import type { FastifyPluginCallbackTypebox } from '@fastify/type-provider-typebox'
import type { FeedAnswer, FeedFilter, FeedSwap, SwapPlace, TokenFace } from '../market/swapFeed.ts'
import { toLegs } from '../market/swapFeed.ts'
import { sayAsOf } from './asOf.ts'
import type { SwapFeeds } from './deps.ts'
import { createSendOnce } from './packing.ts'
import { toNumber } from './toWire.ts'

const limitDefault = 50
/** Files that are written at once: each reads up to 200,000 rows. */
const filesAtOnceMax = 2

/** Swaps of all pools, and what a filter finds among them. */
export function swapFeedRoutes({ readFeed, streamFeed }: SwapFeeds): FastifyPluginCallbackTypebox {
  const sendOnce = createSendOnce()
  return (app, _, done) => {
    app.route({
      ...routes.listAllSwaps,
      handler: async (request, reply) => {
        const { before, limit = limitDefault, _: __, ...asked } = request.query
        const wish = { ...toFilter(asked), before: parsePlace(before), limit }
        const { value, atBlock } = await readFeed(wish)
        return sendOnce(request, sayAsOf(reply, atBlock), { of: value, form: '', toWire: () => toWireFeed(value) })
      },
    })
    let files = 0
    app.route({
      ...routes.downloadSwaps,
      config: { budget: 'swapFiles' },
      handler: async (request, reply) => {
        const { _: __, ...asked } = request.query
        const filter = toFilter(asked)
        if (files >= filesAtOnceMax)
          throw new Failure('busy', 'Other exports are in progress. Try again', {
            retryable: true,
            detail: { retryAfterSeconds: 5 },
          })
        files += 1
        const end = () => {
          files -= 1
        }
        const lines = await openLines(streamFeed, filter).catch((error: unknown) => {
          end()
          throw error
        })
        lines.once('close', end)
        return reply.type('text/csv; charset=utf-8').header('Content-Disposition', 'attachment; filename="swaps.csv"').send(lines)
      },
    })
    done()
  }
}

type Asked = {
  readonly token?: string
  readonly pool?: string
  readonly wallet?: string
  readonly side?: 'buy' | 'sell'
  readonly minUsd?: number
}

/** @throws Failure `request-invalid` for a side of nothing */
function toFilter({ token, pool, wallet, side, minUsd }: Asked): FeedFilter {
  if (side !== undefined && token === undefined)
    throw new Failure(
      'request-invalid',
      `querystring side: found "${side}" without token, expected the token that is bought or sold`,
    )
  return {
    ...{ token: toAddress(token), pool: toAddress(pool), wallet: toAddress(wallet), side },
    usdE18Min: minUsd === undefined || minUsd === 0 ? undefined : numberToE18(minUsd),
  }
}

const toAddress = (text: string | undefined): Address | undefined => (text === undefined ? undefined : parseAddress(text))

function parsePlace(text: string | undefined): SwapPlace | undefined {
  if (text === undefined) return undefined
  const [timestampSeconds = 0, blockNumber = 0, logIndex = 0] = text.split('-').map(Number)
  return { timestampSeconds, blockNumber, logIndex }
}

const toPlaceText = ({ timestampSeconds, blockNumber, logIndex }: SwapPlace) => `${timestampSeconds}-${blockNumber}-${logIndex}`

function toWireFeed({ swaps, next, searchedToSeconds, sinceSeconds }: FeedAnswer): WireFeed {
  return {
    swaps: swaps.map(toWireFeedSwap),
    next: next ? toPlaceText(next) : null,
    searchedUntil: searchedToSeconds ?? null,
    since: sinceSeconds ?? null,
  }
}

function toWireFeedSwap(entry: FeedSwap): WireFeedSwap {
  const { swap, pool } = entry
  const { sold, bought } = toLegs(entry)
  return {
    id: `${swap.txHash}-${swap.logIndex}`,
    timestamp: swap.timestampSeconds,
    blockNumber: swap.blockNumber,
    transaction: { id: swap.txHash },
    pool: { address: pool.address, fee: pool.fee },
    sold: toWireLeg(sold),
    bought: toWireLeg(bought),
    usdValue: swap.usdE18 === 0n ? null : toNumber(swap.usdE18),
    sender: swap.sender,
    recipient: swap.recipient,
  }
}

function toWireLeg({ token, amountRaw }: { readonly token: TokenFace; readonly amountRaw: bigint }) {
  const { address, symbol, decimals } = token
  return { address, symbol, amount: decimals === undefined ? null : rawToDecimal(amountRaw, decimals) }
}

const head = [
  ...['time', 'block', 'transaction', 'pool', 'sold', 'sold_symbol', 'sold_token', 'bought', 'bought_symbol', 'bought_token'],
  ...['usd', 'sender', 'recipient'],
]

/** The first page is read before anything is sent: what fails is answered as what it is. */
async function openLines(stream: SwapFeeds['streamFeed'], filter: FeedFilter): Promise<Readable> {
  const pages = stream(filter)[Symbol.asyncIterator]()
  const first = await pages.next()
  return Readable.from(toLines(first, pages))
}

type Pages = AsyncIterator<readonly FeedSwap[]>

async function* toLines(first: Awaited<ReturnType<Pages['next']>>, pages: Pages): AsyncGenerator<string> {
  yield toCsv([head])
  for (let page = first; !page.done; page = await pages.next()) yield toCsv(page.value.map(toCells))
}

function toCells(entry: FeedSwap): string[] {
  const { swap } = entry
  const { sold, bought } = toWireFeedSwap(entry)
  return [
    ...[new Date(swap.timestampSeconds * 1_000).toISOString(), String(swap.blockNumber), swap.txHash, swap.pool],
    ...[sold, bought].flatMap(({ amount, symbol, address }) => [amount ?? '', symbol, address]),
    ...[swap.usdE18 === 0n ? '' : rawToDecimal(swap.usdE18, 18), swap.sender, swap.recipient],
  ]
}

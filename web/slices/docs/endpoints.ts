import { batchUrl, pricesUrl, streamUrl } from '../../lib/priceApiUrls.ts'
import type { curlExamples } from './apiExamples.ts'

export type Endpoint = {
  readonly id: string
  readonly method: 'GET' | 'POST'
  readonly path: string
  readonly title: string
  readonly words: string
  readonly example: keyof ReturnType<typeof curlExamples>
}

/** The routes of the price API, as the page tells of them. */
export const endpoints: readonly Endpoint[] = [
  {
    id: 'all-prices',
    method: 'GET',
    path: pricesUrl,
    title: 'All prices',
    words:
      'Every listed token in one response, compressed if you accept it. Send the ETag back as If-None-Match: if nothing changed, you get 304 without a body.',
    example: 'all',
  },
  {
    id: 'price-by-address',
    method: 'GET',
    path: `${pricesUrl}/{address}`,
    title: 'One token by address',
    words: 'By contract address. Upper and lower case both work.',
    example: 'one',
  },
  {
    id: 'price-by-symbol',
    method: 'GET',
    path: `${pricesUrl}/symbol/{symbol}`,
    title: 'One token by symbol',
    words:
      'Symbols are not unique. You get the verified token with the deepest market, and others lists the rest. When it matters, use the address.',
    example: 'symbol',
  },
  {
    id: 'batch',
    method: 'POST',
    path: batchUrl,
    title: 'Several tokens',
    words:
      'Up to 100 addresses. You get one result for each, in the same order. An unknown address doesn’t fail the others. Counts as one request.',
    example: 'batch',
  },
  {
    id: 'stream',
    method: 'GET',
    path: streamUrl,
    title: 'Stream of changes',
    words:
      'Server-sent events for all tokens, or for up to 100 addresses: first ready, then a price for every change, and retracted after a reorg. Send Last-Event-ID to resume. Opening the stream counts as one request.',
    example: 'stream',
  },
]

/** Fields of a price, with what each says. */
export const priceFields: readonly (readonly [name: string, type: string, words: string])[] = [
  ['name, symbol, address', 'text', 'The token, as this site lists it'],
  ['usdPrice', 'number', 'US dollars per whole token: the median of the last minutes; 0 if unpriced'],
  ['lastPriceUsd', 'number', 'US dollars per whole token after the last trade; null if unknown'],
  ['priceLow, priceHigh', 'number', 'The price is between these, in US dollars; null if unknown'],
  ['costToMove10Percent', 'number', 'Least cost in fees to move the price by 10% and back, in US dollars; null if unknown'],
  ['pairPrice, pairSymbol', 'number, text', 'The price in the other token of its pool; 0 if unpriced or without a pool'],
  ['change24h', 'number', 'Percent; null if there is no price from 24 hours ago'],
  ['volume24h', 'number', 'US dollars of all swaps in the last 24 hours; null until all of them are indexed'],
  ['organicVolume24h', 'number', 'The same without self-trading; null if unknown'],
  ['organicCoverage', 'number', '0 to 1: the share of volume24h that was checked for it'],
  ['marketCap', 'number', 'Price × supply, in US dollars'],
  ['asOf', 'number', 'When the price was valid, in unix seconds; null if unpriced'],
  ['block', 'number', 'The block of the price; null if it is not from the chain'],
  ['stale', 'boolean', 'True if there is no fresh price and this is the last good one'],
  ['confidence', 'number', '0 to 1, from depth, age and how much prices differ. It falls at once and takes half a day to rise'],
  ['priceStatus', 'text', 'priced, stale or unpriced'],
  ['priceReasons', 'texts', 'Why the price is missing or weak; empty if it is neither'],
  ['warnings', 'objects', 'Problems with the token itself: a code, and a text with the evidence'],
]

/** The errors of the price API, by status. */
export const errorRows: readonly (readonly [status: string, code: string, meaning: string, advice: string])[] = [
  [
    '400',
    'INVALID_REQUEST',
    'Malformed request. 404, 405, 413 and 415: wrong path, method, size or type',
    'Read the message: it names the field',
  ],
  ['401', 'INVALID_API_KEY', 'Key invalid or missing', 'Check the key, or omit the header'],
  ['403', 'KEY_EXPIRED', 'Subscription expired', 'Renew it'],
  ['403', 'KEY_INACTIVE', 'Key paused or inactive', 'Ask the operator'],
  ['404', 'TOKEN_NOT_FOUND', 'Token does not exist', 'Check the address or the symbol'],
  ['429', 'RATE_LIMIT_EXCEEDED', 'Daily rate limit exceeded; carries limit and remaining', 'Wait for Retry-After, then retry'],
  ['500', 'SERVER_ERROR', 'A bug in the server', 'Send the operator the X-Request-Id'],
  ['503', 'UNAVAILABLE', 'The request could not be counted', 'Retry'],
]

import { batchUrl, pricesUrl, streamUrl } from '../../lib/urls.ts'
import type { curlExamples } from './apiExamples.ts'

export type Endpoint = {
  readonly id: string
  readonly method: 'GET' | 'POST'
  readonly path: string
  readonly title: string
  readonly words: string
  readonly example: keyof ReturnType<typeof curlExamples>
}

export const endpoints: readonly Endpoint[] = [
  {
    id: 'all-prices',
    method: 'GET',
    path: pricesUrl,
    title: 'All prices',
    words:
      'Every listed token in one answer, compressed if you take it. Send its ETag back as If-None-Match: while nothing has changed you get 304 without a body.',
    example: 'all',
  },
  {
    id: 'price-by-address',
    method: 'GET',
    path: `${pricesUrl}/{address}`,
    title: 'One token by address',
    words: 'The contract’s address, in any case of letters.',
    example: 'one',
  },
  {
    id: 'price-by-symbol',
    method: 'GET',
    path: `${pricesUrl}/symbol/{symbol}`,
    title: 'One token by symbol',
    words:
      'Symbols are not unique: the answer is the verified token with the deepest market, and others names the rest. Use the address where it matters.',
    example: 'symbol',
  },
  {
    id: 'batch',
    method: 'POST',
    path: batchUrl,
    title: 'Several tokens',
    words:
      'Up to 100 addresses, one result for each in their order; one that is unknown does not spoil the others. Counts as one request.',
    example: 'batch',
  },
  {
    id: 'stream',
    method: 'GET',
    path: streamUrl,
    title: 'Stream of changes',
    words:
      'Server-sent events of all tokens, or of up to 100 addresses: ready, then a price for every change, and retracted when the chain takes blocks back. Send Last-Event-ID to go on where you were. Opening it counts as one request.',
    example: 'stream',
  },
]

/** Fields of a price, with what each says. */
export const priceFields: readonly (readonly [name: string, type: string, words: string])[] = [
  ['name, symbol, address', 'text', 'The token, as the list of this site spells it'],
  ['usdPrice', 'number', 'US dollars for a whole token, the median of the last minutes; 0 when unpriced'],
  ['lastPriceUsd', 'number', 'US dollars for a whole token after the last trade; null when not known'],
  ['priceLow, priceHigh', 'number', 'US dollars between which the price lies; null when not known'],
  ['costToMove10Percent', 'number', 'US dollars in fees that moving the price by 10% and back costs; null when not known'],
  ['pairPrice, pairSymbol', 'number, text', 'The price in the other token of its pool; 0 when unpriced or without a pool'],
  ['change24h', 'number', 'Percent; null when there is no price that old'],
  ['volume24h', 'number', 'US dollars of every swap in the last 24 hours, gross; null while not all of them are read'],
  ['organicVolume24h', 'number', 'What of it is left without trading with oneself; null while nothing is known'],
  ['organicCoverage', 'number', '0 to 1: the part of volume24h that was looked at for it'],
  ['marketCap', 'number', 'Price × supply, in US dollars'],
  ['asOf', 'number', 'The moment the price is of, in unix seconds; null when unpriced'],
  ['block', 'number', 'The block it was read at; null when it was not read from the chain'],
  ['stale', 'boolean', 'The last good price stands in for one that does not come'],
  [
    'confidence',
    'number',
    '0 to 1, by depth, age and how far prices lie apart. It falls at once, and rises with what lasts for half of a day',
  ],
  ['priceStatus', 'text', 'priced, stale or unpriced'],
  ['priceReasons', 'texts', 'Why the price is missing or weak; empty when nothing is to be said'],
  ['warnings', 'objects', 'What is wrong with the token itself: code, and text with the evidence'],
]

export const errorRows: readonly (readonly [status: string, code: string, meaning: string, advice: string])[] = [
  [
    '400',
    'INVALID_REQUEST',
    'The request is not as it should be; 404, 405, 413 and 415 for its path, method, size and type',
    'Read the message, which names the field',
  ],
  ['401', 'INVALID_API_KEY', 'Key invalid or missing', 'Check the key, or leave the header out'],
  ['403', 'KEY_EXPIRED', 'Subscription expired', 'Have it renewed'],
  ['403', 'KEY_INACTIVE', 'Key paused or inactive', 'Ask the operator'],
  ['404', 'TOKEN_NOT_FOUND', 'Token does not exist', 'Check the address or the symbol'],
  ['429', 'RATE_LIMIT_EXCEEDED', 'Daily rate limit exceeded; carries limit and remaining', 'Wait as Retry-After says'],
  ['500', 'SERVER_ERROR', 'A bug of the server', 'Tell the operator the X-Request-Id'],
  ['503', 'UNAVAILABLE', 'The request could not be counted', 'Send it again'],
]

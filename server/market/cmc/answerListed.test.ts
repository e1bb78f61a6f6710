import { expect, it } from 'vitest'
import { listCmcTokens } from '../../testing/cmcWorld.ts'
import type { KeptSource } from '../pollSource.ts'
import { answerListed } from './answerListed.ts'
import { createCmcBook } from './cmcBook.ts'

const nowMs = Date.parse('2026-11-20T12:00:00Z')
const list = listCmcTokens(1)
const failing: KeptSource = {
  name: 'cmcListed',
  reading: undefined,
  readAtMs: undefined,
  intervalMs: 0,
  failingSinceMs: nowMs,
  failure: 'CoinMarketCap returned 401 (code 1001): This API Key is invalid.',
}

it('a coin that could not be asked about so far is an error that says why', () => {
  expect(answerListed('coin-1', { list, book: createCmcBook(), listed: failing, nowMs })).toEqual({
    httpStatus: 500,
    body: {
      status: {
        timestamp: '2026-11-20T12:00:00.000Z',
        error_code: 500,
        error_message: 'CoinMarketCap returned 401 (code 1001): This API Key is invalid.',
        elapsed: 0,
        credit_count: 0,
      },
    },
  })
})

it('an old answer is served while new ones fail, with the time that it is of', () => {
  const book = createCmcBook()
  book.keepCoins([{ id: 1, slug: 'coin-1', quote: { USD: { price: 2 } } }], '2026-11-20T09:00:00.000Z')
  const { httpStatus, body } = answerListed('coin-1', { list, book, listed: failing, nowMs })
  expect(httpStatus).toBe(200)
  expect(body).toMatchObject({
    status: { timestamp: '2026-11-20T09:00:00.000Z', error_code: 0 },
    data: { '1': { slug: 'coin-1' } },
  })
})

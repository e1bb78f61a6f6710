import type { WireFeedSwap } from '@chainboard/contract'
import { expect, test } from 'vitest'
import { describeTrade } from './describeTrade.ts'

const swap: WireFeedSwap = {
  ...{
    id: '0xaa-2',
    timestamp: 1_800_000_000,
    blockNumber: 7,
    transaction: { id: '0xaa' },
    pool: { address: '0x1', fee: 3_000 },
  },
  sold: { address: '0x9f', symbol: 'WEMB', amount: '0.052694071252462068' },
  bought: { address: '0x01', symbol: 'BSLT', amount: '92.04614467' },
  ...{ usdValue: 74.666, sender: '0x11', recipient: '0x2222222222222222222222222222222222223333' },
}

test('a swap reads what was given for what; seen from a token, whether it was bought, and at which price', () => {
  expect(describeTrade(swap, { token: undefined, explorer: null, inUtc: true })).toMatchObject({
    ...{ side: undefined, first: { figure: '0.05', symbol: 'WEMB' }, second: { figure: '92.05', symbol: 'BSLT' } },
    ...{ price: undefined, value: '$74.67', wallet: '0x2222…3333', txUrl: undefined },
  })
  expect(
    describeTrade(swap, { token: '0x01', explorer: { txUrl: 'https://scan.example/tx/{hash}', addressUrl: '' }, inUtc: true }),
  ).toMatchObject({
    ...{ side: 'Buy', first: { figure: '92.05' }, second: { figure: '0.05' }, price: '$0.8112' },
    txUrl: 'https://scan.example/tx/0xaa',
  })
  expect(describeTrade(swap, { token: '0x9F', explorer: null, inUtc: true })).toMatchObject({
    side: 'Sell',
    first: { figure: '0.05' },
    price: '$1,416.97',
  })
})

test('until the page is taken over, its time is the one that everybody reads', () => {
  const { absoluteTime } = describeTrade(swap, { token: undefined, explorer: null, inUtc: true })
  expect(absoluteTime).toBe('15 Jan 2027, 08:00:00 UTC')
})

test('dust is not nothing, and what is not known reads N/A', () => {
  const dust = { ...swap, usdValue: 0.001, bought: { ...swap.bought, amount: '0.000574123' } }
  expect(describeTrade(dust, { token: '0x01', explorer: null, inUtc: true })).toMatchObject({
    value: '<$0.01',
    first: { figure: '0.000574' },
  })
  const unknown = {
    ...swap,
    usdValue: null,
    bought: { address: '0x0165878a594ca255338adfa4d48449f69242eb8f', symbol: '\u202e', amount: null },
  }
  expect(describeTrade(unknown, { token: unknown.bought.address, explorer: null, inUtc: true })).toMatchObject({
    ...{ value: 'N/A', price: undefined, first: { figure: 'N/A', symbol: '0x0165…eb8f' } },
  })
  const tiny = { ...swap, bought: { ...swap.bought, amount: '0.000000000000000001' } }
  expect(describeTrade(tiny, { token: '0x01', explorer: null, inUtc: true }).first.figure).toBe('<0.000000001')
})

import type { WireToken } from '@chainboard/contract'
import { expect, test } from 'vitest'
import { describeLinks } from './describeLinks.ts'

const token = (links: Partial<WireToken>) => links as WireToken

test('the pages a token has, in one order', () => {
  expect(
    describeLinks(
      token({
        coingeckoUrl: 'https://gecko.example/coins/basalt',
        telegram: 'https://t.example/bslt',
        website: 'https://basalt.example',
        cmcUrl: 'https://cmc.example/currencies/basalt/',
        X: 'https://x.example/basalt',
      }),
    ),
  ).toEqual([
    { icon: 'website', site: 'Website', url: 'https://basalt.example/' },
    { icon: 'x', site: 'X', url: 'https://x.example/basalt' },
    { icon: 'telegram', site: 'Telegram', url: 'https://t.example/bslt' },
    { icon: 'coinMarketCap', site: 'CoinMarketCap', url: 'https://cmc.example/currencies/basalt/' },
    { icon: 'coinGecko', site: 'CoinGecko', url: 'https://gecko.example/coins/basalt' },
  ])
})

test('what is no web address is no link', () => {
  expect(describeLinks(token({ website: 'javascript:alert(1)', X: '@basalt', telegram: '' }))).toEqual([])
})

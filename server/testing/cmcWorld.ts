import { toTokenList } from '../market/tokenList.ts'
import { listed } from './market.ts'
import type { StandInCmc } from './standInCmc.ts'

export const cmcKey = 'b54bcf4d-1bca-4e8e-9a24-22ff2c3d462c'

/** So many listed tokens that name a page of CoinMarketCap: `coin-1`, `coin-2` and so on. */
export function listCmcTokens(count: number) {
  const [like] = listed
  if (!like) throw new Error('there is a listed token')
  const entries = Array.from({ length: count }, (_, i) => ({
    ...like,
    symbol: `C${i + 1}`,
    address: `0x${(i + 1).toString(16).padStart(40, '0')}`,
    cmcUrl: `https://coinmarketcap.com/currencies/coin-${i + 1}/`,
  }))
  return toTokenList(entries, [])
}

/** Lists them on the stand-in too, at a dollar each, always of this very moment. */
export function addCmcCoins({ coins }: StandInCmc, count: number, nowMs: () => number): void {
  for (let id = 1; id <= count; id += 1) {
    coins.push({
      id,
      slug: `coin-${id}`,
      symbol: `C${id}`,
      quote: {
        USD: {
          price: 1,
          get last_updated() {
            return new Date(nowMs()).toISOString()
          },
        },
      },
    })
  }
}

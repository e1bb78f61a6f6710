import { toDisplayText } from '@chainboard/core'
import type { Asker } from './asker.ts'
import type { PublicChain } from './describeChain.ts'
import type { InitFlags } from './initFlags.ts'
import { parseTemplate, parseText, parseUrl } from './parseFlags.ts'

export type Texts = {
  readonly chainName: string
  readonly coin: PublicChain['coin']
  readonly siteName: string
  readonly dexName: string
  readonly swapUrl: string | undefined
  readonly poolUrl: string | undefined
  readonly explorer: string | undefined
}

export type TextDeps = {
  readonly flags: InitFlags
  readonly asker: Asker
  readonly chainName: string
  readonly publicChain: PublicChain | undefined
  /** Of the wrapped coin. */
  readonly wrappedSymbol: string
}

const decimalsDefault = 18

/** What pages say and where they lead. Every answer has a default that harms nobody. */
export async function settleTexts({ flags, asker, chainName, publicChain, wrappedSymbol }: TextDeps): Promise<Texts> {
  const harmless = true
  const text = (flag: 'coin' | 'site-name' | 'dex-name', what: string, proposal: string) =>
    asker.settle({ flag, what, given: flags[flag], proposal, harmless, parse: parseText })
  const link = async (flag: 'swap-url' | 'pool-url', what: string, proposal: string) => {
    const url = await asker.settle({ flag, what, given: flags[flag], proposal, harmless, parse: parseTemplate })
    return url === '' ? undefined : url
  }
  const symbol = await text('coin', "the coin's symbol", publicChain?.coin.symbol ?? unwrap(wrappedSymbol))
  const siteName = await text('site-name', "the site's name", `Chainboard ${chainName}`)
  const dexName = await text('dex-name', "the exchange's name", 'the exchange')
  const explorer = await asker.settle({
    ...{ flag: 'explorer', what: "the explorer's URL, or nothing", given: flags.explorer, harmless },
    ...{ proposal: publicChain?.explorer ?? '', parse: (url: string) => (url === '' ? '' : parseUrl(url)) },
  })
  const shown = explorer ? `${explorer}/address/{address}` : ''
  return {
    chainName,
    coin: publicChain?.coin.symbol === symbol ? publicChain.coin : { name: symbol, symbol, decimals: decimalsDefault },
    siteName,
    dexName,
    swapUrl: await link('swap-url', 'a URL with {address} where a token is traded, or nothing', ''),
    poolUrl: await link('pool-url', 'a URL with {address} where a pool is shown, or nothing', shown),
    explorer: explorer || undefined,
  }
}

/** `WETH` -> `ETH`. */
function unwrap(symbol: string): string {
  return toDisplayText(symbol.replace(/^w(?=.)/i, ''), 'COIN', 32)
}

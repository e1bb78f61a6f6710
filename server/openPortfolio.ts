import { type Address, parseAddress } from '@chainboard/core'
import type { Chain } from './chain/chain.ts'
import type { Config } from './config.ts'
import { toMulticall } from './networkFile.ts'
import { createPortfolio, type Portfolio } from './portfolio/createPortfolio.ts'

/** What wallets have of one network's coin and listed tokens. */
export function openPortfolio({ network, tokenList }: Pick<Config, 'network' | 'tokenList'>, chain: Chain): Portfolio {
  const { address, isCoin } = network.wrappedNative
  return createPortfolio({
    chain,
    listed: tokenList.tokens,
    coinDecimals: network.chain.nativeCurrency.decimals,
    coinToken: isCoin ? (parseAddress(address) as Address) : undefined,
    multicall: toMulticall(network),
  })
}

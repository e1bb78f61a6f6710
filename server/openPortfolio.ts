import type { Chain } from './chain/chain.ts'
import { createViemChain } from './chain/viemChain.ts'
import type { Config } from './config.ts'
import type { LiveList } from './market/liveList.ts'
import { toAddress, toMulticall } from './networkFile.ts'
import { createPortfolio, type Portfolio, type PortfolioParts } from './portfolio/createPortfolio.ts'

const stakeTimeoutMs = 5_000

/** The way to staking contracts, which are anybody's: a slow one, or one that a node chokes on, is in no request but its own. */
export function openStakeChain(rpcUrls: readonly string[]): Chain {
  return createViemChain(rpcUrls, { together: false, timeoutMs: stakeTimeoutMs })
}

/** What wallets have of one network's coin and listed tokens. */
export function openPortfolio(
  { network }: Pick<Config, 'network'>,
  { chain, stakeChain, list }: Pick<PortfolioParts, 'chain' | 'stakeChain'> & { readonly list: Pick<LiveList, 'current'> },
): Portfolio {
  const { address, isCoin } = network.wrappedNative
  return createPortfolio({
    chain,
    stakeChain,
    listed: () => list.current().tokens,
    coinDecimals: network.chain.nativeCurrency.decimals,
    coinToken: isCoin ? toAddress(address) : undefined,
    multicall: toMulticall(network),
  })
}

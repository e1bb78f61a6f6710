import type { WireConfig } from '@chainboard/contract'
import { absoluteUrl, originOf } from '../../lib/urls.ts'
import type { WalletProvider } from './discoverWallets.ts'
import { readChainId, readErrorCode } from './readAnswer.ts'

const unknownChain = 4902

/** EIP-3085: what a wallet must be told to know a chain. */
export function toAddedChain({ chain, explorer }: Pick<WireConfig, 'chain' | 'explorer'>, origin: string) {
  const explorerUrl = explorer && originOf(explorer.txUrl)
  return {
    chainId: `0x${chain.id.toString(16)}`,
    chainName: chain.name,
    nativeCurrency: chain.nativeCurrency,
    rpcUrls: [absoluteUrl(chain.rpcUrl, origin)],
    ...(explorerUrl && { blockExplorerUrls: [explorerUrl] }),
  }
}

/**
 * Brings the wallet to our chain, telling it about the chain when it does not know it. Not every wallet goes to a chain that it was just told about.
 * @returns the chain it is on afterwards
 * @throws what the wallet throws when the visitor declines
 */
export async function switchChain(provider: WalletProvider, added: ReturnType<typeof toAddedChain>): Promise<number> {
  const { chainId } = added
  const change = () => provider.request({ method: 'wallet_switchEthereumChain', params: [{ chainId }] })
  const current = async () => readChainId(await provider.request({ method: 'eth_chainId' }))
  try {
    await change()
  } catch (error) {
    if (readErrorCode(error) !== unknownChain) throw error
    await provider.request({ method: 'wallet_addEthereumChain', params: [added] })
    if ((await current()) !== readChainId(chainId)) await change()
  }
  return current()
}

import { holdReload } from '../../lib/busy.ts'
import type { ContractCall, Sent } from '../../lib/sendCall.ts'
import type { WalletProvider } from './discoverWallets.ts'
import { readKnownRefusal, readRevertData, readWords } from './readAnswer.ts'

type Sender = { readonly address: string; readonly chainId: number }

/**
 * Asks a wallet to send a transaction (`eth_sendTransaction`). The chain is named, so that a wallet which has left it meanwhile says no
 * instead of paying elsewhere; gas and fees are the wallet's business.
 */
export async function sendCall(provider: WalletProvider, { address, chainId }: Sender, call: ContractCall): Promise<Sent> {
  const letGo = holdReload()
  try {
    const transaction = { from: address, chainId: `0x${chainId.toString(16)}`, ...call }
    const hash = await provider.request({ method: 'eth_sendTransaction', params: [transaction] })
    return isHash(hash) ? { hash } : {}
  } catch (error) {
    const text = readKnownRefusal(error)
    const walletWords = readWords(error)
    const revertData = readRevertData(error)
    return { ...(text && { text }), ...(walletWords && { walletWords }), ...(revertData && { revertData }) }
  } finally {
    letGo()
  }
}

function isHash(value: unknown): value is `0x${string}` {
  return typeof value === 'string' && /^0x[0-9a-f]{64}$/i.test(value)
}

import { holdReload } from '../../lib/busy.ts'
import type { SignText } from '../../lib/signProof.ts'
import type { WalletProvider } from './discoverWallets.ts'
import { toErrorText } from './readAnswer.ts'
import { useWallet } from './useWallet.ts'

type Signing = { readonly signature: string } | { readonly error: string }

/** Asks a wallet to sign a text (`personal_sign`); what it refuses comes as words for the visitor. The chain it is on does not matter. */
async function signText(provider: WalletProvider, address: string, text: string): Promise<Signing> {
  const letGo = holdReload()
  try {
    const signature = await provider.request({ method: 'personal_sign', params: [toHex(text), address] })
    if (typeof signature === 'string' && signature !== '') return { signature }
    return { error: 'Your wallet did not sign the message' }
  } catch (error) {
    return { error: toErrorText(error, 'Your wallet did not sign the message') }
  } finally {
    letGo()
  }
}

function toHex(text: string): string {
  const bytes = new TextEncoder().encode(text)
  return `0x${Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')}`
}

/** The connected wallet's address and name, and its way to sign; both are undefined while none is connected. */
export function useSignText(): {
  readonly address: string | undefined
  readonly name: string | undefined
  readonly sign: SignText
} {
  const { provider, address, wallet } = useWallet()
  const sign: SignText = async (text) =>
    provider && address ? signText(provider, address, text) : { error: 'Failed to connect wallet' }
  return { address, name: address && wallet?.name, sign }
}

import type { SignText } from '../../lib/signProof.ts'
import { signText } from './signText.ts'
import { useWallet } from './useWallet.ts'

/** The connected wallet's address, and its way to sign; the address is undefined while none is connected. */
export function useSignText(): { readonly address: string | undefined; readonly sign: SignText } {
  const { provider, address } = useWallet()
  const sign: SignText = async (text) =>
    provider && address ? signText(provider, address, text) : { error: 'Failed to connect wallet' }
  return { address, sign }
}

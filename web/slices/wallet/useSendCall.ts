import type { SendCall } from '../../lib/sendCall.ts'
import { useWallet } from './useWallet.ts'

/** The connected wallet's way to send a contract call, on our chain alone; `undefined` while there is none. */
export function useSendCall(chainId: number | undefined): SendCall | undefined {
  const { provider, address, chainOk } = useWallet()
  if (!provider || !address || !chainOk || chainId === undefined) return undefined
  // The code that talks to wallets is no part of the first load.
  return async (call) => (await import('./sendCall.ts')).sendCall(provider, { address, chainId }, call)
}

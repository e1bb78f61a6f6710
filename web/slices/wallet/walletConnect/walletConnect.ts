import type { WireConfig } from '@chainboard/contract'
import { toDisplayText } from '@chainboard/core'
import { createNodeCall } from '../../../lib/callNode.ts'
import { loadPart } from '../../../lib/loadPart.ts'
import type { FoundWallet, WalletProvider } from '../discoverWallets.ts'
import { createPairing } from './pairing.ts'
import type { Relay } from './relay.ts'

/** A QR code's corner marks. WalletConnect's own mark is not ours to use. */
const icon = `data:image/svg+xml,${encodeURIComponent(
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="8" fill="#3b6fd4"/><path d="M8 8h6v6H8zM18 8h6v6h-6zM8 18h6v6H8zM18.5 18.5h2v2h-2zM22.5 22.5h2v2h-2zM18.5 23h2M23 18.5h2" fill="none" stroke="#fff" stroke-width="2"/></svg>',
)}`

type Listener = (value: unknown) => void

/**
 * Wallets on other devices as one more wallet to choose. Nothing is asked of the relay, and its client's code does not come, before this wallet
 * is asked for its account.
 */
export function createWalletConnect({ siteName, chain }: WireConfig, relay: Relay): FoundWallet {
  const listeners = new Map<string, Set<Listener>>()
  const { pairing, desk } = createPairing(new URL(relay.relayUrl).host)
  const emit = (event: string, value: unknown) => {
    for (const listener of listeners.get(event) ?? []) listener(value)
  }
  let opened: Promise<Pick<WalletProvider, 'request'>> | undefined

  async function open(): Promise<Pick<WalletProvider, 'request'>> {
    const [{ openSession }, { createSessionProvider }] = await Promise.all([
      loadPart(() => import('./openSession.ts')),
      loadPart(() => import('./sessionProvider.ts')),
    ])
    const site = { name: toDisplayText(siteName, 'Chainboard', 100), origin: location.origin }
    const session = await openSession({ relay, site, chainId: chain.id, desk, onNews: (news) => hear(news) })
    const callNode = createNodeCall(chain.rpcUrl)
    const { provider, hear } = createSessionProvider({ session, callNode, ownChainId: chain.id, emit })
    return provider
  }

  return {
    id: 'walletconnect',
    name: 'WalletConnect',
    icon,
    pairing,
    provider: {
      async request(call) {
        opened ??= open()
        // What did not load is asked for once more.
        const provider = await opened.catch((error) => {
          opened = undefined
          throw error
        })
        return provider.request(call)
      },
      on: (event, listener) => listeners.set(event, new Set([...(listeners.get(event) ?? []), listener])),
      removeListener: (event, listener) => listeners.get(event)?.delete(listener),
    },
  }
}

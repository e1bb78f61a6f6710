import type { WireConfig } from '@chainboard/contract'
import { formatWalletBalance, toDisplayText } from '@chainboard/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { loadPart } from '../../lib/loadPart.ts'
import type { SendCall, SendTogether } from '../../lib/sendCall.ts'
import type { FoundWallet, WalletProvider } from './discoverWallets.ts'
import { chooseWallet, connectWallet, leaveWallet, openWalletSession, switchWalletChain } from './walletCommands.ts'
import { useWalletSnapshot, type WalletSnapshot } from './walletStore.ts'

/** The visitor's wallet as a screen sees it. */
export type Wallet = {
  readonly kind: 'disconnected' | 'choosing' | 'connecting' | 'connected'
  /** To choose from. */
  readonly wallets: readonly FoundWallet[]
  /** The one being asked, or connected. */
  readonly wallet?: FoundWallet
  /** Checksummed; present when connected. */
  readonly address?: string
  /** EIP-1193; present when connected. */
  readonly provider?: WalletProvider
  /** Connected, and on our chain: only then does signing or sending make sense. */
  readonly chainOk: boolean
  /** Of our chain, as text for a screen. */
  readonly chainName: string
  /** `1.234 EMB`; absent while it is read, and on another chain. */
  readonly balanceText?: string
  /** The wallet is being asked to come to our chain. */
  readonly switching: boolean
  /** Why the last attempt failed, for the visitor. */
  readonly error?: string
}

/** What a screen can read of the store's state. */
export function toWallet({ state, config }: WalletSnapshot): Wallet {
  const chainName = toDisplayText(config?.chain.name ?? '', 'this network', 40)
  const error = 'error' in state && state.error !== undefined ? { error: state.error } : {}
  if (state.kind !== 'connected') {
    const wallet = state.kind === 'connecting' && state.wallet ? { wallet: state.wallet } : {}
    return { kind: state.kind, wallets: state.wallets, chainOk: false, chainName, switching: false, ...wallet, ...error }
  }
  const { wallet, address, chainId, balanceRaw, switching } = state
  const chainOk = chainId === config?.chain.id
  return {
    kind: 'connected',
    wallets: [],
    wallet,
    address,
    provider: wallet.provider,
    chainOk,
    chainName,
    switching,
    ...(chainOk && balanceRaw !== undefined && { balanceText: toBalanceText(balanceRaw, config) }),
    ...error,
  }
}

function toBalanceText(balanceRaw: bigint, { chain: { nativeCurrency } }: WireConfig): string {
  const { decimals, symbol } = nativeCurrency
  return `${formatWalletBalance(balanceRaw, decimals)} ${toDisplayText(symbol, '', 12)}`.trimEnd()
}

/** The visitor's wallet and what can be done with it. The same wallet wherever it is used. */
export function useWallet() {
  return {
    ...toWallet(useWalletSnapshot()),
    connect: connectWallet,
    choose: chooseWallet,
    /** Ends a connection or an attempt at one, and resets everything. */
    disconnect: leaveWallet,
    switchChain: switchWalletChain,
  }
}

/** Comes back to the wallet of the last visit. Mounted once, around every page. */
export function useWalletSession(config: WireConfig | undefined): void {
  useEffect(() => {
    if (config) openWalletSession(config)
  }, [config])
}

/** The connected wallet's way to send a contract call, on our chain alone; `undefined` while there is none. */
export function useSendCall(chainId: number | undefined): SendCall | undefined {
  const { provider, address, chainOk } = useWallet()
  if (!provider || !address || !chainOk || chainId === undefined) return undefined
  // The code that talks to wallets is no part of the first load.
  return async (call) => (await loadPart(() => import('./sendCall.ts'))).sendCall(provider, { address, chainId }, call)
}

const clock = { wait: (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms)), nowMs: () => Date.now() }

/**
 * The connected wallet's way to do several contract calls together, on our chain alone; `undefined` while there is none, and for a wallet that
 * cannot.
 */
export function useSendTogether(chainId: number | undefined): SendTogether | undefined {
  const client = useQueryClient()
  const { provider, address, chainOk, wallet } = useWallet()
  const queryKey = ['sends together', wallet?.id, address, chainId]
  const sender = provider && address && chainOk && chainId !== undefined ? { address, chainId } : undefined
  const { data: can } = useQuery({
    queryKey,
    queryFn: async () =>
      provider !== undefined &&
      sender !== undefined &&
      (await loadPart(() => import('./batchCalls.ts'))).canSendTogether(provider, sender, clock),
    enabled: sender !== undefined,
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  })
  if (!provider || !sender || !can) return undefined
  return async (calls) => {
    const sent = await (await loadPart(() => import('./batchCalls.ts'))).sendTogether(provider, sender, calls, clock)
    if ('unable' in sent) client.setQueryData(queryKey, false)
    return sent
  }
}

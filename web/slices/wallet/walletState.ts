import type { FoundWallet } from './discoverWallets.ts'

/**
 * What is known of the visitor's wallet. `attempt` goes up with whatever makes earlier questions void, so that their late answers can be told
 * and dropped.
 */
export type WalletState = { readonly attempt: number } & (
  | { readonly kind: 'disconnected'; readonly wallets: readonly FoundWallet[]; readonly error?: string }
  | { readonly kind: 'choosing'; readonly wallets: readonly FoundWallet[] }
  /** Without `wallet` while the browser's wallets are being looked for. `silent`: back after a reload, nobody is asked. */
  | {
      readonly kind: 'connecting'
      readonly wallets: readonly FoundWallet[]
      readonly wallet?: FoundWallet
      readonly silent: boolean
    }
  | {
      readonly kind: 'connected'
      readonly wallet: FoundWallet
      /** Checksummed. */
      readonly address: string
      readonly chainId: number
      /** Smallest units of the chain's coin; absent until it was read. */
      readonly balanceRaw?: bigint
      /** The wallet is being asked to change its chain. */
      readonly switching: boolean
      readonly error?: string
    }
)

/** What the visitor does has no `attempt`; an answer carries that of its question. */
export type WalletEvent =
  | { readonly kind: 'asked' }
  | { readonly kind: 'chosen'; readonly wallet: FoundWallet }
  | { readonly kind: 'left' }
  | ({ readonly attempt: number } & WalletAnswer)

type WalletAnswer =
  | { readonly kind: 'found'; readonly wallets: readonly FoundWallet[] }
  /** `wallet`: by the name that it has only now. */
  | { readonly kind: 'connected'; readonly address: string; readonly chainId: number; readonly wallet?: FoundWallet }
  | { readonly kind: 'refused'; readonly error?: string }
  | { readonly kind: 'accountChanged'; readonly address: string | undefined }
  | { readonly kind: 'chainChanged'; readonly chainId: number }
  | { readonly kind: 'balanceRead'; readonly address: string; readonly chainId: number; readonly balanceRaw: bigint }
  | { readonly kind: 'switchAsked' }
  | { readonly kind: 'switchEnded'; readonly error?: string }

/** What is said in a browser without a wallet (specification §8). */
export const noWalletText = 'MetaMask is not installed'

/** Decides what a wallet's story comes to. Pure: no browser, no clock, no wallet, so every story is a list of events. */
export function nextWallet(state: WalletState, event: WalletEvent): WalletState {
  const attempt = state.attempt + 1
  if (event.kind === 'left') return { kind: 'disconnected', attempt, wallets: [] }
  if (event.kind === 'asked')
    return state.kind === 'connected' ? state : { kind: 'connecting', attempt, wallets: [], silent: false }
  if (event.kind === 'chosen') return onChosen(state, event.wallet)
  if (event.attempt !== state.attempt) return state
  return state.kind === 'connected' ? onConnectedAnswer(state, event) : onAnswer(state, event)
}

function onChosen(state: WalletState, wallet: FoundWallet): WalletState {
  if (state.kind === 'connected') return state
  return { kind: 'connecting', attempt: state.attempt + 1, wallets: state.wallets, wallet, silent: false }
}

type Unconnected = Exclude<WalletState, { kind: 'connected' }>

function onAnswer(state: Unconnected, event: WalletAnswer): WalletState {
  const { attempt, wallets } = state
  switch (event.kind) {
    case 'found':
      return onFound(state, event.wallets)
    case 'connected': {
      if (state.kind !== 'connecting' || !state.wallet) return state
      const { address, chainId, wallet = state.wallet } = event
      return { kind: 'connected', attempt, wallet, address, chainId, switching: false }
    }
    case 'refused':
      if (state.kind !== 'connecting') return state
      // Nobody asked for a silent attempt, so nobody wants to hear that it failed.
      if (state.silent) return { kind: 'disconnected', attempt, wallets: [] }
      return { kind: 'disconnected', attempt, wallets, ...(event.error !== undefined && { error: event.error }) }
    default:
      return state
  }
}

/** One wallet is asked at once, of several one is chosen; one on another device only when it was chosen. A wallet that announces itself late joins the choice. */
function onFound(state: Unconnected, wallets: readonly FoundWallet[]): WalletState {
  const { attempt } = state
  if (state.kind === 'choosing') return { ...state, wallets }
  if (state.kind !== 'connecting' || state.wallet) return state
  const [wallet, ...others] = wallets
  if (!wallet) return { kind: 'disconnected', attempt, wallets, error: noWalletText }
  return others.length === 0 && (state.silent || !wallet.pairing)
    ? { ...state, wallets, wallet }
    : { kind: 'choosing', attempt, wallets }
}

type Connected = Extract<WalletState, { kind: 'connected' }>

function onConnectedAnswer(state: Connected, event: WalletAnswer): WalletState {
  const { attempt, wallet, address, chainId } = state
  switch (event.kind) {
    case 'accountChanged':
      if (event.address === undefined) return { kind: 'disconnected', attempt: attempt + 1, wallets: [] }
      if (event.address === address) return state
      return { kind: 'connected', attempt, wallet, chainId, address: event.address, switching: state.switching }
    case 'chainChanged':
      if (event.chainId === chainId) return state
      return { kind: 'connected', attempt, wallet, address, chainId: event.chainId, switching: state.switching }
    case 'balanceRead': {
      const { balanceRaw } = event
      const isNews = event.address === address && event.chainId === chainId && balanceRaw !== state.balanceRaw
      return isNews ? { ...state, balanceRaw } : state
    }
    case 'switchAsked': {
      const { error: _, ...rest } = state
      return { ...rest, switching: true }
    }
    case 'switchEnded':
      return { ...state, switching: false, ...(event.error !== undefined && { error: event.error }) }
    default:
      return state
  }
}

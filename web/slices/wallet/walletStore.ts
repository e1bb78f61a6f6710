import type { WireConfig } from '@chainboard/contract'
import { holdReload } from '../../lib/busy.ts'
import { useBrowserStore } from '../../lib/hydration.tsx'
import { nextWallet, type WalletEvent, type WalletState } from './walletState.ts'

const rememberedKey = 'wallet'

/** Id of the wallet that was connected when the page was last open: after a reload it is asked again, without a prompt. */
export function readRememberedWallet(): string | undefined {
  try {
    return localStorage.getItem(rememberedKey) ?? undefined
  } catch {
    return undefined // storage is blocked: a reload ends the connection
  }
}

/** Comes back to this wallet after a reload. */
function rememberWallet(id: string): void {
  try {
    localStorage.setItem(rememberedKey, id)
  } catch {
    // as above
  }
}

/** Comes back to none. */
export function forgetWallet(): void {
  try {
    localStorage.removeItem(rememberedKey)
  } catch {
    // as above
  }
}

/** Where the wallet stands, and of which network. */
export type WalletSnapshot = {
  readonly state: WalletState
  /** Says which chain is ours; absent until it has come. */
  readonly config: WireConfig | undefined
}

const start = { attempt: 0, wallets: [] } as const
const without: WalletSnapshot = { state: { ...start, kind: 'disconnected' }, config: undefined }
let snapshot: WalletSnapshot =
  readRememberedWallet() === undefined ? without : { ...without, state: { ...start, kind: 'connecting', silent: true } }
let letGoOfReload: (() => void) | undefined
const listeners = new Set<() => void>()

function show(next: WalletSnapshot): void {
  snapshot = next
  for (const listener of listeners) listener()
}

/** Calls `listener` after every change. @returns ends that */
export function subscribeToWallet(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** The state of this moment; the same object until it changes. */
export function readWalletSnapshot(): WalletSnapshot {
  return snapshot
}

/** {@link readWalletSnapshot} as a hook; no wallet while a page that the server drew for everybody is taken over. */
export function useWalletSnapshot(): WalletSnapshot {
  return useBrowserStore(subscribeToWallet, readWalletSnapshot, () => without)
}

/** Says which chain is ours. */
export function setWalletConfig(config: WireConfig): void {
  if (snapshot.config !== config) show({ ...snapshot, config })
}

/** The one way to change the state. Which wallet to come back to, and whether the page may reload, follow from it. */
export function tellWallet(event: WalletEvent): void {
  const before = snapshot.state
  const state = nextWallet(before, event)
  if (state === before) return
  if (state.kind === 'connected') {
    // Once: another tab may have left it since.
    if (before.kind !== 'connected') rememberWallet(state.wallet.id)
  } else if (event.kind === 'left' || before.kind === 'connected') forgetWallet()

  const isAsking = state.kind === 'connected' ? state.switching : state.kind === 'connecting' && !state.silent
  if (isAsking) letGoOfReload ??= holdReload()
  else {
    letGoOfReload?.()
    letGoOfReload = undefined
  }
  show({ ...snapshot, state })
}

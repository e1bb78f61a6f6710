import type { WireConfig } from '@chainboard/contract'
import { loadPart } from '../../lib/loadPart.ts'
import type { FoundWallet } from './discoverWallets.ts'
import { readRememberedWallet, readWalletSnapshot, setWalletConfig, subscribeToWallet, tellWallet } from './walletStore.ts'

/** The code that talks to wallets is no part of the first load. */
function loadEngine() {
  return loadPart(() => import('./walletEngine.ts'))
}

/** The visitor is about to press: fetches what will be needed. When it does not come, pressing asks again. */
export function fetchWalletAhead(): void {
  loadEngine().catch(() => undefined)
}

function awaitConfig(): Promise<WireConfig> {
  return new Promise((resolve) => {
    const look = () => {
      const { config } = readWalletSnapshot()
      if (!config) return
      stop()
      resolve(config)
    }
    const stop = subscribeToWallet(look)
    look()
  })
}

type Engine = Awaited<ReturnType<typeof loadEngine>>

/** Runs one attempt to connect. When the code for it does not arrive, the attempt has failed. */
async function runAttempt(run: (engine: Engine, config: WireConfig, attempt: number) => Promise<void>): Promise<void> {
  const { attempt } = readWalletSnapshot().state
  try {
    const [engine, config] = await Promise.all([loadEngine(), awaitConfig()])
    await run(engine, config, attempt)
  } catch {
    tellWallet({ kind: 'refused', attempt, error: 'Failed to connect wallet' })
  }
}

/** Finds the browser's wallets and asks one of them for its account; of several the visitor chooses one first. */
export function connectWallet(): void {
  if (readWalletSnapshot().state.kind === 'connected') return
  tellWallet({ kind: 'asked' })
  void runAttempt((engine, config, attempt) => engine.findAndConnect(config, attempt))
}

/** Asks the wallet that the visitor chose for its account. */
export function chooseWallet(wallet: FoundWallet): void {
  if (readWalletSnapshot().state.kind === 'connected') return
  tellWallet({ kind: 'chosen', wallet })
  void runAttempt((engine, config, attempt) => engine.askWallet(wallet, config, attempt))
}

/** Ends a connection, or an attempt at one, and has the wallet forget this page where it can. */
export function leaveWallet(): void {
  const { state } = readWalletSnapshot()
  tellWallet({ kind: 'left' })
  if (state.kind === 'connected') void revoke(state.wallet)
}

async function revoke({ provider }: FoundWallet): Promise<void> {
  try {
    await provider.request({ method: 'wallet_revokePermissions', params: [{ eth_accounts: {} }] })
  } catch {
    // Few wallets know it. This page has forgotten the wallet either way.
  }
}

/** Asks the connected wallet to come to our chain; nothing while it is asked already. */
export function switchWalletChain(): void {
  const { state, config } = readWalletSnapshot()
  if (state.kind !== 'connected' || state.switching || !config) return
  const { attempt } = state
  tellWallet({ kind: 'switchAsked', attempt })
  loadEngine()
    .then((engine) => engine.moveToChain(state.wallet.provider, config, attempt))
    .catch(() => tellWallet({ kind: 'switchEnded', attempt, error: 'Failed to switch the network' }))
}

/** Says which chain is ours, and comes back to the wallet of the last visit. */
export function openWalletSession(config: WireConfig): void {
  const isFirst = readWalletSnapshot().config === undefined
  setWalletConfig(config)
  const id = readRememberedWallet()
  const { state } = readWalletSnapshot()
  if (!isFirst || id === undefined || state.kind !== 'connecting' || !state.silent) return
  void runAttempt((engine, config, attempt) => engine.comeBack(id, config, attempt))
}

import type { WireConfig } from '@chainboard/contract'
import { loadPart } from '../../lib/loadPart.ts'
import { discoverWallets, type FoundWallet, type WalletPage, type WalletProvider, waitForWallets } from './discoverWallets.ts'
import { followWallet } from './followWallet.ts'
import { readAccount, readChainId, toErrorText } from './readAnswer.ts'
import { switchChain, toAddedChain } from './switchChain.ts'
import { createWalletConnect } from './walletConnect/walletConnect.ts'
import { forgetWallet, readWalletSnapshot, subscribeToWallet, tellWallet } from './walletStore.ts'

/** Wallets announce themselves at once; some are put into the page a moment late. */
const patienceMs = 400
/** A wallet that slept may take a while to wake up after a reload. */
const wakingMs = 10_000

const page: WalletPage = window
const discovery = discoverWallets(page)
let demoWallets: Promise<void> | undefined
let walletConnect: FoundWallet | undefined

/** The demo wallets of a test chain, announced like any other. Without them the browser's own still work. */
async function offerDemoWallets(config: WireConfig): Promise<void> {
  if (config.demoWallets.length === 0) return
  demoWallets ??= loadPart(() => import('./demoWallet.ts')).then(({ announceDemoWallets }) => announceDemoWallets(page, config))
  await demoWallets.catch(() => {
    demoWallets = undefined
  })
}

/** The browser's wallets, and the way to those on other devices where the operator offers it. */
function listWallets(config: WireConfig): readonly FoundWallet[] {
  if (!config.walletConnect) return discovery.list()
  walletConnect ??= createWalletConnect(config, config.walletConnect)
  return [...discovery.list(), walletConnect]
}

/** One wallet is asked at once; of several the visitor chooses. */
export async function findAndConnect(config: WireConfig, attempt: number): Promise<void> {
  await offerDemoWallets(config)
  await waitForWallets(discovery, (wallets) => wallets.length > 0, patienceMs)
  const show = () => tellWallet({ kind: 'found', attempt, wallets: listWallets(config) })
  show()
  const state = readWalletSnapshot().state
  if (state.attempt !== attempt) return
  if (state.kind === 'choosing') return whileTrue(() => readWalletSnapshot().state.attempt === attempt, discovery.onFound(show))
  if (state.kind === 'connecting' && state.wallet) await askWallet(state.wallet, config, attempt)
}

/** Calls `stop` once `isSo` no longer holds. */
function whileTrue(isSo: () => boolean, stop: () => void): void {
  const unsubscribe = subscribeToWallet(() => {
    if (isSo()) return
    unsubscribe()
    stop()
  })
}

/** Asks for the account, which opens the wallet, and for its chain. */
export async function askWallet(wallet: FoundWallet, config: WireConfig, attempt: number): Promise<void> {
  const failed = 'Failed to connect wallet'
  const { provider, pairing } = wallet
  if (pairing) whileTrue(() => readWalletSnapshot().state.attempt === attempt, pairing.cancel)
  try {
    const address = readAccount(await provider.request({ method: 'eth_requestAccounts' }))
    if (!address) return tellWallet({ kind: 'refused', attempt, error: failed })
    await enter(wallet, address, config, attempt)
  } catch (error) {
    tellWallet({ kind: 'refused', attempt, error: toErrorText(error, failed) })
  }
}

async function enter(wallet: FoundWallet, address: string, config: WireConfig, attempt: number): Promise<void> {
  const { provider, pairing } = wallet
  const chainId = readChainId(await provider.request({ method: 'eth_chainId' }))
  const peerName = pairing?.peerName()
  tellWallet({ kind: 'connected', attempt, address, chainId, ...(peerName && { wallet: { ...wallet, name: peerName } }) })
  const state = readWalletSnapshot().state
  if (state.attempt !== attempt || state.kind !== 'connected') {
    // Paired for somebody who has left meanwhile.
    if (pairing) await provider.request({ method: 'wallet_revokePermissions' })
    return
  }
  whileTrue(() => readWalletSnapshot().state.attempt === attempt, followWallet(provider, config.chain.id, attempt))
}

/** Back to the wallet of the last visit, which is asked nothing that it would show to the visitor. */
export async function comeBack(id: string, config: WireConfig, attempt: number): Promise<void> {
  const timer = setTimeout(() => tellWallet({ kind: 'refused', attempt }), wakingMs)
  try {
    await offerDemoWallets(config)
    const isBack = (wallets: readonly FoundWallet[]) => wallets.some((wallet) => wallet.id === id)
    if (!isBack(listWallets(config))) await waitForWallets(discovery, isBack, patienceMs)
    const wallet = listWallets(config).find((found) => found.id === id)
    if (!wallet) return tellWallet({ kind: 'refused', attempt })
    tellWallet({ kind: 'found', attempt, wallets: [wallet] })
    const address = readAccount(await wallet.provider.request({ method: 'eth_accounts' }))
    if (address) return await enter(wallet, address, config, attempt)
    if (readWalletSnapshot().state.attempt === attempt) forgetWallet()
    tellWallet({ kind: 'refused', attempt })
  } catch {
    tellWallet({ kind: 'refused', attempt })
  } finally {
    clearTimeout(timer)
  }
}

/** Asks the wallet to come to our chain. */
export async function moveToChain(provider: WalletProvider, config: WireConfig, attempt: number): Promise<void> {
  const failed = 'Failed to switch the network'
  try {
    const chainId = await switchChain(provider, toAddedChain(config, location.origin))
    tellWallet({ kind: 'chainChanged', attempt, chainId })
    tellWallet({ kind: 'switchEnded', attempt, ...(chainId !== config.chain.id && { error: failed }) })
  } catch (error) {
    tellWallet({ kind: 'switchEnded', attempt, error: toErrorText(error, failed) })
  }
}

import type { WalletProvider } from './discoverWallets.ts'
import { readAccount, readBalance, readChainId } from './readAnswer.ts'
import { readWalletSnapshot, subscribeToWallet, tellWallet } from './walletStore.ts'

const balanceEveryMs = 15_000

/** Keeps account, chain and balance of the connected wallet up to date until the returned function is called. */
export function followWallet(provider: WalletProvider, chainId: number, attempt: number): () => void {
  const tellAccount = (accounts: unknown) => tellWallet({ kind: 'accountChanged', attempt, address: readAccount(accounts) })
  const on = {
    accountsChanged: tellAccount,
    chainChanged: (id: unknown) => tellWallet({ kind: 'chainChanged', attempt, chainId: readChainId(id) }),
    // Some wallets say so when they only lost their node: whoever still names an account is still there.
    disconnect: () => void provider.request({ method: 'eth_accounts' }).then(tellAccount, () => tellAccount([])),
  }
  for (const [event, listener] of Object.entries(on)) provider.on?.(event, listener)
  const stopBalance = followBalance(provider, chainId, attempt)
  return () => {
    for (const [event, listener] of Object.entries(on)) provider.removeListener?.(event, listener)
    stopBalance()
  }
}

/** Reads the balance now, with every account and chain, and every 15 s while the page is looked at. */
function followBalance(provider: WalletProvider, ownChainId: number, attempt: number): () => void {
  let read = ''
  const readNow = async () => {
    const state = readWalletSnapshot().state
    if (state.kind !== 'connected' || state.attempt !== attempt || state.chainId !== ownChainId) return
    const { address, chainId } = state
    const answer = await provider.request({ method: 'eth_getBalance', params: [address, 'latest'] }).catch(() => undefined)
    tellWallet({ kind: 'balanceRead', attempt, address, chainId, balanceRaw: readBalance(answer) })
  }
  const readWhenOther = () => {
    const state = readWalletSnapshot().state
    const key = state.kind === 'connected' ? `${state.address} ${state.chainId}` : ''
    if (key === read) return
    read = key
    void readNow()
  }
  const readWhenSeen = () => void (document.visibilityState === 'visible' && readNow())

  readWhenOther()
  const unsubscribe = subscribeToWallet(readWhenOther)
  const timer = setInterval(readWhenSeen, balanceEveryMs)
  document.addEventListener('visibilitychange', readWhenSeen)
  return () => {
    unsubscribe()
    clearInterval(timer)
    document.removeEventListener('visibilitychange', readWhenSeen)
  }
}

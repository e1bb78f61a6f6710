import { type Address, defaultWindowSeconds, requireAddress } from '@chainboard/core'
import type { NetworkBase } from './networkBase.ts'

const defaultPollMs = 2_000
const defaultSpanMax = 10_000
const defaultReorgDepthMax = 64

/** How a network's chain is followed: `spanMax` is the widest range of blocks asked for. */
export function toFollowing({ chain }: NetworkBase) {
  const { pollMs = defaultPollMs, logRangeMax: spanMax = defaultSpanMax, confirmations } = chain
  // No reorg within the confirmations is unusual.
  const { reorgDepthMax = Math.max(defaultReorgDepthMax, 2 * confirmations), mayRestart = false } = chain
  return { pollMs, spanMax, confirmations, reorgDepthMax, mayRestart }
}

/** Who may call the node through `POST /rpc`: nobody, this site's pages and wallets, or pages of any site. */
export type RpcMode = 'off' | 'site' | 'open'

/** What the network file says, or else: a node of its own for browsers makes ours unnecessary. */
export function toRpcMode({ rpc, chain }: Pick<NetworkBase, 'rpc' | 'chain'>): RpcMode {
  return rpc ?? (chain.publicRpcUrl === undefined ? 'site' : 'off')
}

const publicRelayUrl = 'wss://relay.walletconnect.org'

/** How browsers reach wallets on other devices; undefined where the operator does not offer that. */
export function toWalletConnect({ walletConnect }: Pick<NetworkBase, 'walletConnect'>) {
  if (!walletConnect) return undefined
  const { projectId, relayUrl = publicRelayUrl } = walletConnect
  return { projectId, relayUrl }
}

const e18PerCent = 10n ** 16n

/** An address as a network file or a token list has it, in lower case. @throws Failure `config-invalid` for what is none: their schemas let none through */
export function toAddress(text: string): Address {
  return requireAddress(text, 'config-invalid')
}

/** The token that is made of coins; undefined where the coin itself is a token. */
export function toWrapped({ wrappedNative }: NetworkBase): Address | undefined {
  return wrappedNative.isCoin ? undefined : toAddress(wrappedNative.address)
}

/** What a network file says of dollars: which tokens are worth one, which price others, and how deep a pool must be (US dollars x 10^18). */
export function toValuation({ usdc, otherStables = [], wrappedNative, prices }: NetworkBase) {
  return {
    stables: [usdc.address, ...otherStables].map(toAddress),
    wrappedNative: toAddress(wrappedNative.address),
    quotes: (prices.quotes ?? []).map(toAddress),
    depthFloorUsdE18: BigInt(Math.round(prices.depthFloorUsd * 100)) * e18PerCent,
    windowSeconds: prices.windowSeconds ?? defaultWindowSeconds,
  }
}

/** Where Multicall3 stands on nearly every chain. */
export const usualMulticall: Address = '0xca11bde05977b3631167028862be2a173976ca11'

/** The contract that asks many others in one call; whether one stands there is for the chain to say. */
export function toMulticall({ chain }: NetworkBase): Address {
  return chain.multicall === undefined ? usualMulticall : toAddress(chain.multicall)
}

/** How the trending tokens are chosen: senders of transactions are known where there is an index. */
export function toTrendingOptions(network: NetworkBase) {
  const { trending, index } = network
  return {
    knowsOrigins: index.pools !== 'none',
    without: new Set(trending?.withoutStables ? toValuation(network).stables : []),
  }
}

import { fieldsOf } from '@chainboard/core'
import * as chains from 'viem/chains'

/** What the public list of chains that is shipped with viem says of one. */
export type PublicChain = {
  readonly name: string
  readonly coin: { readonly name: string; readonly symbol: string; readonly decimals: number }
  readonly rpcUrls: readonly string[]
  /** Without a slash at the end. */
  readonly explorer: string | undefined
  readonly multicall: string | undefined
}

type Entry = {
  readonly id: number
  readonly name: string
  readonly testnet?: boolean
  readonly nativeCurrency: PublicChain['coin']
  readonly rpcUrls: { readonly default: { readonly http: readonly string[] } }
  readonly blockExplorers?: { readonly default?: { readonly url: string } }
  readonly contracts?: { readonly multicall3?: { readonly address?: string } }
}

/** Ids that local test chains share: no name fits them all. */
const localIds = new Set([1_337, 31_337])

/** A public chain by its id; undefined when the list has none, or the id is that of local test chains. */
export function findPublicChain(id: number): PublicChain | undefined {
  if (isLocalChain(id)) return undefined
  const all: readonly unknown[] = Object.values(chains)
  const entries = all.filter((value): value is Entry => fieldsOf(value)['id'] === id)
  const entry = entries.find(({ testnet }) => !testnet) ?? entries[0]
  if (!entry) return undefined
  return {
    name: entry.name,
    coin: entry.nativeCurrency,
    rpcUrls: entry.rpcUrls.default.http,
    explorer: entry.blockExplorers?.default?.url.replace(/\/+$/, ''),
    multicall: entry.contracts?.multicall3?.address,
  }
}

/** Whether the id is one that local test chains use. */
export function isLocalChain(id: number): boolean {
  return localIds.has(id)
}

import type { Chain } from '../chain/chain.ts'
import { createViemChain } from '../chain/viemChain.ts'

/** One RPC URL. `field` names it without the rest of the URL, which may hold a key. */
export type RpcNode = {
  readonly field: string
  readonly url: string
  readonly chain: Chain
}

/** `https://node.example/key` -> `node.example`: what may be shown of a URL that may hold a key. */
export function hostOf(url: string): string {
  return URL.parse(url)?.host ?? 'no URL'
}

/** @param source the field or variable that the URLs come from */
export function toNodes(rpcUrls: readonly string[], source: string): RpcNode[] {
  return rpcUrls.map((url, i) => ({ field: `${source}.${i} (${hostOf(url)})`, url, chain: createViemChain([url]) }))
}

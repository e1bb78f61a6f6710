import type { Address } from '@chainboard/core'
import { getAddress } from 'viem'
import type { TokenListEntry } from '../market/tokenList.ts'
import type { NetworkFile } from '../networkFileSchema.ts'
import type { ReadToken } from './readTokens.ts'

/** What the survey and the operator settled. Texts are harmless, addresses in lower case. */
export type Settled = {
  readonly siteName: string
  readonly chainId: number
  readonly chainName: string
  readonly coin: { readonly name: string; readonly symbol: string; readonly decimals: number }
  readonly rpcUrls: readonly string[]
  readonly isLocal: boolean
  readonly multicall: string | undefined
  readonly blockSeconds: number
  readonly confirmations: number
  /** Blocks that the node answers at once. */
  readonly logRangeMax: number
  readonly dexName: string
  readonly factory: Address
  readonly startBlock: number
  readonly swapUrl: string | undefined
  readonly poolUrl: string | undefined
  /** Without a slash at the end. */
  readonly explorer: string | undefined
  readonly wrapped: ReadToken
  /** The main one first. */
  readonly stables: readonly [ListableToken, ...ListableToken[]]
}

/** A token with decimals that amounts can be counted in. */
export type ListableToken = ReadToken & { readonly decimals: number }

const pollMs = { min: 250, max: 5_000, step: 50 }
/** A chain with slow blocks is not stale for having none yet. */
const staleBlocks = 10
const staleSecondsDefault = 300
const depthFloorUsd = 50
const brand = { accentDark: '#6ea8fe', accentLight: '#1f5fbf' }
const highlightedMax = 6

/** The network file. Pure. */
export function toNetworkFile(settled: Settled, schemaPath: string): NetworkFile {
  const { chainId, chainName, coin, rpcUrls, confirmations, logRangeMax, multicall, isLocal, blockSeconds } = settled
  const [usdc, ...otherStables] = settled.stables
  const { explorer, swapUrl, poolUrl } = settled
  const staleAfterSeconds = Math.ceil(staleBlocks * blockSeconds)
  return {
    $schema: schemaPath,
    siteName: settled.siteName,
    chain: {
      id: chainId,
      name: chainName,
      nativeCurrency: coin,
      rpcUrls: [...rpcUrls],
      confirmations,
      pollMs: toPollMs(blockSeconds),
      logRangeMax,
      ...(isLocal ? { mayRestart: true } : {}),
      ...(multicall === undefined ? {} : { multicall }),
    },
    dex: {
      name: settled.dexName,
      factory: getAddress(settled.factory),
      startBlock: settled.startBlock,
      ...(swapUrl === undefined ? {} : { swapUrl }),
      ...(poolUrl === undefined ? {} : { poolUrl }),
    },
    wrappedNative: { address: getAddress(settled.wrapped.address), symbol: settled.wrapped.symbol },
    usdc: { address: getAddress(usdc.address), decimals: usdc.decimals },
    ...(otherStables.length > 0 ? { otherStables: otherStables.map(({ address }) => getAddress(address)) } : {}),
    ...(explorer ? { explorer: { txUrl: `${explorer}/tx/{hash}`, addressUrl: `${explorer}/address/{address}` } } : {}),
    links: explorer ? [{ label: 'Explorer', url: explorer }] : [],
    brand,
    prices: {
      sources: ['index'],
      depthFloorUsd,
      ...(staleAfterSeconds > staleSecondsDefault ? { staleAfterSeconds } : {}),
    },
    index: { pools: 'all' },
  }
}

function toPollMs(blockSeconds: number): number {
  const half = Math.round((blockSeconds * 500) / pollMs.step) * pollMs.step
  return Math.min(pollMs.max, Math.max(pollMs.min, half))
}

export type FirstList = {
  readonly assets: { readonly $schema: string; readonly tokens: readonly TokenListEntry[] }
  readonly highlighted: readonly string[]
}

/**
 * The first token list: the coin, the dollars, then others in their order. Only the first two are verified: the operator
 * confirmed them, and what is named like them is warned of. Pure.
 */
export function toFirstList(
  { wrapped, stables }: Pick<Settled, 'stables'> & { readonly wrapped: ListableToken },
  others: readonly ListableToken[],
  schemaPath: string,
): FirstList {
  const toEntry = (token: ListableToken, category: string, verified: boolean): TokenListEntry => ({
    name: token.name,
    symbol: token.symbol,
    address: getAddress(token.address),
    decimals: token.decimals,
    logo: '',
    category,
    verified,
  })
  const tokens = [
    toEntry(wrapped, 'Native', true),
    ...stables.map((token) => toEntry(token, 'Stablecoin', true)),
    ...others.map((token) => toEntry(token, 'Token', false)),
  ]
  const highlighted = [wrapped, ...others].slice(0, highlightedMax).map(({ address }) => getAddress(address))
  return { assets: { $schema: schemaPath, tokens }, highlighted }
}

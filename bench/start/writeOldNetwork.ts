import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { FabricatedChain } from '../../server/testing/fabricated/fabricatedChain.ts'
import { multicall3 } from '../../server/testing/fabricated/publicNode.ts'
import { native, usdc } from '../../server/testing/simulation/modelMarket.ts'

/** The files of a network on that chain, every token of it in the list. @returns their folder */
export function writeOldNetwork(folder: string, { chainId, factory, listed }: FabricatedChain): string {
  const lists = join(folder, 'networks', 'lists', 'old')
  mkdirSync(lists, { recursive: true })
  const network = {
    siteName: 'Old chain',
    chain: {
      ...{ id: chainId, name: 'Old chain', nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 } },
      ...{ rpcUrls: ['http://127.0.0.1:1'], confirmations: 16, pollMs: 1_000, multicall: multicall3 },
    },
    dex: {
      name: 'Old exchange',
      factory,
      startBlock: 1,
      swapUrl: 'https://old.example/{address}',
      poolUrl: 'https://old.example/{address}',
    },
    wrappedNative: { address: native.address, symbol: native.symbol },
    usdc: { address: usdc.address, decimals: usdc.decimals },
    brand: { accentDark: '#ff8a4c', accentLight: '#b8430a' },
    links: [],
    prices: { sources: ['index'], depthFloorUsd: 50 },
    index: { pools: 'listed' },
  }
  const assets = listed.map(({ address, symbol, decimals }) => ({
    ...{ name: `Token ${symbol}`, symbol, address, decimals },
    ...{ category: 'Test', verified: false, logo: '/logos/devnet/ochr.svg' },
  }))
  writeFileSync(join(folder, 'networks', 'old.json'), JSON.stringify(network))
  writeFileSync(join(lists, 'assets.json'), JSON.stringify(assets))
  writeFileSync(join(lists, 'highlighted.json'), '[]')
  return join(folder, 'networks')
}

import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { type FabricatedOptions, fabricateChain } from '../../server/testing/fabricated/fabricatedChain.ts'
import { native, usdc } from '../../server/testing/simulation/modelMarket.ts'

const networks = resolve(import.meta.dirname, '../../networks')
const daySeconds = 86_400
const listedTokens = 200

/** A chain of a block a second, whose pools trade evenly until its head. @param headSeconds when that was made; unix seconds */
export function toChainOptions(swaps: number, days: number, headSeconds: number): FabricatedOptions {
  return {
    seed: 'a long history',
    chainId: 31_337,
    blocks: days * daySeconds,
    pools: 2_000,
    swaps,
    periodSeconds: 1,
    headSeconds,
  }
}

/**
 * Network files for such a chain, with some of its tokens listed.
 * @returns addresses of the listed tokens
 */
export function writeNetwork(folder: string, options: FabricatedOptions): string[] {
  const { factory, listed } = fabricateChain(options)
  const lists = join(folder, 'lists', 'devnet')
  mkdirSync(lists, { recursive: true })
  const { boost: _, ...network } = JSON.parse(readFileSync(join(networks, 'devnet.json'), 'utf8'))
  network.chain = { ...network.chain, id: options.chainId, pollMs: 1_000, mayRestart: false }
  network.dex = { ...network.dex, factory, startBlock: 0 }
  network.wrappedNative = { address: native.address, symbol: native.symbol }
  network.usdc = { address: usdc.address, decimals: usdc.decimals }
  writeFileSync(join(folder, 'devnet.json'), JSON.stringify(network))
  // From the busiest pools to the quietest.
  const step = Math.floor(listed.length / listedTokens)
  const tokens = listed.filter((_token, i) => i < 2 || i % step === 0).slice(0, listedTokens)
  const toEntry = ({ symbol, address, decimals }: (typeof tokens)[number]) => ({
    ...{ name: `Token ${symbol}`, symbol, address, decimals },
    ...{ category: 'Test', verified: false, logo: '/logos/devnet/ochr.svg' },
  })
  writeFileSync(join(lists, 'assets.json'), JSON.stringify(tokens.map(toEntry)))
  writeFileSync(join(lists, 'highlighted.json'), '[]')
  cpSync(join(networks, 'lists', 'devnet', 'logos'), join(lists, 'logos'), { recursive: true })
  return tokens.map(({ address }) => address)
}

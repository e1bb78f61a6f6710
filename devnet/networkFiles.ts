// Writes what the local chain's addresses decide into networks/: `npx node devnet/networkFiles.ts`. The results are committed.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { getDevAddress, poolAddress } from './addresses.ts'
import { findMainPool } from './pools.ts'
import { type DevToken, listedTokens } from './tokens.ts'

const folder = join(import.meta.dirname, '..', 'networks')
const featured = ['WEMB', 'CNDR', 'HRBR', 'BSLT', 'ORRY', 'TIDE']

/** The token list of the local network, as the server reads it. */
export function toAssets(): object[] {
  return listedTokens.map((token) => ({
    name: token.name,
    symbol: token.symbol,
    address: getDevAddress(token.symbol),
    decimals: token.decimals,
    logo: `/logos/devnet/${token.symbol.toLowerCase()}.svg`,
    category: token.category,
    verified: token.verified,
    supply: token.supply,
    ...(token.staking ? { stakingContract: getDevAddress(`staking:${token.symbol}`), stakingAdapter: 'stakedBalance' } : {}),
    ...toLinks(token),
    ...(token.lockedUntil
      ? { lockTimer: token.lockedUntil, lockUrl: `https://locks.ember.example/${token.symbol.toLowerCase()}` }
      : {}),
    ...toPriceInfo(token),
  }))
}

/** Addresses of the featured tokens. */
export function toHighlighted(): string[] {
  return featured.map(getDevAddress)
}

/** The network file's text with the addresses of the local chain in it, all else untouched. */
export function toNetwork(text: string): string {
  const put = (json: string, before: RegExp, name: string) =>
    json.replace(new RegExp(`(${before.source}")0x[0-9a-fA-F]{40}`), (_, kept: string) => kept + getDevAddress(name))
  const withFactory = put(text, /"factory": /, 'factory')
  const withWrapped = put(withFactory, /"wrappedNative": \{\s*"address": /, 'WEMB')
  const withUsdc = put(withWrapped, /"usdc": \{\s*"address": /, 'USDC')
  const withBoost = put(withUsdc, /"boost": \{\s*"address": /, 'boost')
  const periphery = ['positionManager', 'swapRouter', 'market'].map((name) => `      "${getDevAddress(name)}"`)
  return withBoost.replace(/("periphery": \[)[^\]]*/, (_, kept: string) => `${kept}\n${periphery.join(',\n')}\n    `)
}

function toLinks({ symbol, name, links = [] }: DevToken): Record<string, string> {
  const word = name.replace('Wrapped ', '').split(' ')[0]?.toLowerCase()
  const urls = {
    website: `https://${word}.example`,
    X: `https://x.example/${word}`,
    telegram: `https://telegram.example/${symbol.toLowerCase()}`,
  }
  return Object.fromEntries(links.map((link) => [link, urls[link]]))
}

function toPriceInfo({ symbol }: DevToken): object {
  const pool = findMainPool(symbol)
  if (!pool) return {}
  const other = pool.base === symbol ? pool.quote : pool.base
  return { priceInfo: { poolAddress: poolAddress(pool), baseToken: { symbol: other }, feeTier: pool.feeTier } }
}

if (import.meta.main) {
  const toJson = (value: unknown) => `${JSON.stringify(value, null, 2)}\n`
  writeFileSync(join(folder, 'lists/devnet/assets.json'), toJson(toAssets()))
  writeFileSync(join(folder, 'lists/devnet/highlighted.json'), toJson(toHighlighted()))
  writeFileSync(join(folder, 'devnet.json'), toNetwork(readFileSync(join(folder, 'devnet.json'), 'utf8')))
}

import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { toAssets, toHighlighted, toNetwork } from './networkFiles.ts'

const folder = join(import.meta.dirname, '..', 'networks')
const read = (path: string) => readFileSync(join(folder, path), 'utf8')
type Asset = {
  symbol: string
  address: string
  decimals: number
  logo: string
  lockTimer?: string
  stakingContract?: string
  priceInfo?: object
}
const assets = JSON.parse(read('lists/devnet/assets.json')) as Asset[]

test('the committed network files are those of the deployment (else: npx node devnet/networkFiles.ts)', () => {
  expect(assets).toEqual(toAssets())
  expect(JSON.parse(read('lists/devnet/highlighted.json'))).toEqual(toHighlighted())
  expect(toNetwork(read('devnet.json'))).toBe(read('devnet.json'))
})

test('the list has every kind of token a page must cope with', () => {
  expect(assets).toHaveLength(16)
  expect(new Set(assets.map((asset) => asset.decimals))).toEqual(new Set([6, 8, 18]))
  expect(assets.filter((asset) => !asset.priceInfo).map((asset) => asset.symbol)).toEqual(['OCHR'])
  expect(assets.filter((asset) => !asset.lockTimer).map((asset) => asset.symbol)).toEqual(['FNNC', 'OCHR'])
  expect(assets.filter((asset) => asset.lockTimer && asset.lockTimer < '2025').map((asset) => asset.symbol)).toEqual(['KSTL'])
  expect(assets.filter((asset) => asset.stakingContract).map((asset) => asset.symbol)).toEqual(['CNDR', 'HRBR'])
})

test('each unequal pair of decimals stands on both sides of wrapped native and of USDC', () => {
  const get = (symbol: string) => BigInt(assets.find((asset) => asset.symbol === symbol)?.address ?? 0)
  expect(get('USDC')).toBeLessThan(get('WEMB'))
  expect(get('BSLT')).toBeLessThan(get('WEMB'))
  expect(get('LNTN')).toBeGreaterThan(get('WEMB'))
  expect(get('ORRY')).toBeLessThan(get('USDC'))
  expect(get('GLAS')).toBeGreaterThan(get('USDC'))
})

test('links lead nowhere but to .example hosts', () => {
  const hosts = [...read('lists/devnet/assets.json').matchAll(/https?:\/\/([^/"]+)/g)].map((match) => match[1])
  expect(hosts.length).toBeGreaterThan(20)
  expect(hosts.filter((host) => !host?.endsWith('.example'))).toEqual([])
})

test('every token has its own small logo without scripts or outside references', () => {
  const logos = readdirSync(join(folder, 'lists/devnet/logos')).map((name) => `/logos/devnet/${name}`)
  expect(logos.toSorted()).toEqual(assets.map((asset) => asset.logo).toSorted())
  const texts = logos.map((path) => read(path.replace('/logos/devnet/', 'lists/devnet/logos/')))
  expect(new Set(texts).size).toBe(16)
  for (const text of texts) {
    expect(text.length).toBeLessThan(1_500)
    expect(text.replace('http://www.w3.org/2000/svg', '')).not.toMatch(/script|href|http|<text|on\w+=/)
  }
})

import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { Failure } from '@chainboard/core'
import { getAddress } from 'viem'
import { describe, expect, it } from 'vitest'
import { readConfig } from '../config.ts'
import { formatProblem, type Problem } from '../findProblems.ts'
import { judgeTemplate } from './checkPages.ts'

const networksDir = resolve(import.meta.dirname, '../../networks')
const names = readdirSync(networksDir).flatMap((file) => (file.endsWith('.json') ? [file.slice(0, -5)] : []))

const accentContrastMin = 4.5
/** Grounds that links and buttons stand on: web/app/styles/tokens.css. */
const grounds = { accentDark: ['#0b0d12', '#11141b', '#1a1e27'], accentLight: ['#f7f5f0', '#fffefb', '#efebe2'] } as const

function readPreset(name: string) {
  try {
    return readConfig({ NETWORK: name }, networksDir)
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    throw new Error((error.detail['problems'] as Problem[]).map(formatProblem).join('\n'))
  }
}

/** WCAG 2's relative luminance. */
function luminance(colour: string): number {
  const [r = 0, g = 0, b = 0] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(colour.slice(at, at + 2), 16) / 255
    return part <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * r + 0.7152 * g + 0.0722 * b
}

function contrast(a: string, b: string): number {
  const [light = 0, dark = 0] = [luminance(a), luminance(b)].sort((x, y) => y - x)
  return (light + 0.05) / (dark + 0.05)
}

it('networks are there for Electroneum, Ethereum Classic and Celo, besides the devnet', () => {
  expect(names).toEqual(expect.arrayContaining(['celo', 'devnet', 'electroneum', 'ethereum-classic']))
})

describe.each(names)('the network %s', (name) => {
  it('has a file and a list that the server reads', () => {
    expect(readPreset(name).tokenList.tokens.length).toBeGreaterThan(0)
  })

  it('writes every address with its checksum', () => {
    const { network, tokenList } = readPreset(name)
    const { dex, wrappedNative, usdc, otherStables = [] } = network
    const addresses = [
      dex.factory,
      wrappedNative.address,
      usdc.address,
      ...otherStables,
      ...tokenList.tokens.map(({ address }) => address),
    ]
    expect(addresses).toEqual(addresses.map((address) => getAddress(address)))
  })

  it('lists its wrapped coin and its US dollars with the decimals of the file, and no symbol twice', () => {
    const { network, tokenList } = readPreset(name)
    const find = (address: string) => tokenList.tokens.find(({ id }) => id === address.toLowerCase())
    expect(find(network.wrappedNative.address)).toMatchObject({
      symbol: network.wrappedNative.symbol,
      decimals: network.chain.nativeCurrency.decimals,
    })
    expect(find(network.usdc.address)?.decimals).toBe(network.usdc.decimals)
    for (const address of network.otherStables ?? []) expect(find(address)).toBeDefined()
    const symbols = tokenList.tokens.map(({ symbol }) => symbol)
    expect(new Set(symbols).size).toBe(symbols.length)
  })

  it('has a logo for every token, none of which runs anything or loads anything', () => {
    const { tokenList, logosDir } = readPreset(name)
    for (const { logo } of tokenList.tokens) {
      const [, logos, network, file = ''] = logo.split('/')
      expect([logos, network]).toEqual(['logos', name])
      expect(existsSync(join(logosDir, file)), `${file} is missing`).toBe(true)
      expect(readFileSync(join(logosDir, file), 'utf8')).not.toMatch(/<script|\son\w+=|href=|url\(['"]?http/i)
    }
  })

  it('has accents that can be read on every ground', () => {
    const { brand } = readPreset(name).network
    for (const [accent, colours] of Object.entries(grounds))
      for (const ground of colours)
        expect(contrast(brand[accent as keyof typeof grounds], ground), `${accent} on ${ground}`).toBeGreaterThanOrEqual(
          accentContrastMin,
        )
  })

  it('has links that lead where the placeholder says', () => {
    const { dex, explorer } = readPreset(name).network
    const findings = [
      judgeTemplate('dex.swapUrl', dex.swapUrl ?? 'none', 'address'),
      judgeTemplate('dex.poolUrl', dex.poolUrl ?? 'none', 'address'),
      ...(explorer
        ? [judgeTemplate('txUrl', explorer.txUrl, 'hash'), judgeTemplate('addressUrl', explorer.addressUrl, 'address')]
        : []),
    ]
    expect(findings.filter(({ level }) => level !== 'ok')).toEqual([])
  })
})

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type OwnMarket, ownChainId, startOwnMarket } from './testing/ownMarket.ts'
import { startServerProcess } from './testing/serverProcess.ts'
import { startTool } from './testing/toolProcess.ts'

let market: OwnMarket
let folder: string
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'chainboard-init-'))
  market = await startOwnMarket()
  const usdc = await market.deployToken('USD Coin', 'USDC', 6)
  const alpha = await market.deployToken('Alpha', 'ALPHA', 18)
  const beta = await market.deployToken('Beta', 'BETA', 8)
  const { weth } = market
  // A coin is 2,000 dollars, an ALPHA 10, a BETA 0.25.
  await market.createPool({ token: weth, whole: 1_000 }, { token: usdc, whole: 2_000_000 })
  await market.createPool({ token: alpha, whole: 20_000 }, { token: weth, whole: 100 })
  await market.createPool({ token: beta, whole: 800_000 }, { token: usdc, whole: 200_000 })
  await market.swap({ token: weth, whole: 0.01 }, usdc)
  await market.swap({ token: usdc, whole: 20 }, weth)
  await market.swap({ token: alpha, whole: 1 }, weth)
  await market.swap({ token: beta, whole: 10 }, usdc)
})
afterAll(async () => {
  await market.stop()
  rmSync(folder, { recursive: true })
})

const init = async (args: readonly string[], env: Readonly<Record<string, string>> = {}) => {
  const tool = startTool('init', args, { NETWORKS_DIR: folder, ...env })
  return { code: await tool.ended, output: tool.output() }
}

describe('npm run init', () => {
  it('makes a page with right prices from an RPC URL and a factory, in one go', async () => {
    const beganAtMs = performance.now()
    const { code, output } = await init(['--rpc', market.rpcUrl, '--factory', market.factory, '--yes', '--name', 'own'])
    expect(output).toContain(`chain id ${ownChainId}, which the public list does not name`)
    expect(output).toMatch(/--stables 0x[0-9a-f]{40}: taken, as --yes says/)
    expect(output.split('\n').filter((line) => line.startsWith('FAIL'))).toEqual([])
    expect(output.trim().split('\n').at(-1)).toBe(`Next: NETWORKS_DIR=${folder} NETWORK=own npm start`)
    expect(code).toBe(0)

    const server = startServerProcess({ NETWORKS_DIR: folder, NETWORK: 'own', DATA_DIR: join(folder, 'data') })
    try {
      const url = await server.full
      const tokens = async () =>
        (await (await fetch(`${url}/assets.json`)).json()) as { symbol: string; priceInUsd: number | null }[]
      const priceOf = async (symbol: string) => (await tokens()).find((token) => token.symbol === symbol)?.priceInUsd
      for (const [symbol, usd] of [
        ['WOWN', 2_000],
        ['USDC', 1],
        ['ALPHA', 10],
        ['BETA', 0.25],
      ] as const)
        await expect.poll(async () => Math.abs(((await priceOf(symbol)) ?? 0) / usd - 1), { message: symbol }).toBeLessThan(0.002)
    } finally {
      server.child.kill('SIGTERM')
      await server.ended
    }
    expect(performance.now() - beganAtMs).toBeLessThan(180_000)
  })
})

import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type OwnMarket, ownChainId, startOwnMarket } from '../testing/ownMarket.ts'
import { startServerProcess } from '../testing/serverProcess.ts'
import { startStrangeNode } from '../testing/strangeNode.ts'
import { startTool } from '../testing/toolProcess.ts'

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
    expect(output).toMatch(/--stables 0x[0-9a-f]{40}: accepted because of --yes/)
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

  it('from a node that answers 10 calls a second it is the same, and the doctor finds no failure', async () => {
    const answeredAtMs: number[] = []
    const refusal = { error: { code: -32_005, message: 'rate limit exceeded: 10 calls per second' } }
    const limited = await startStrangeNode(market.rpcUrl, {
      answer: () => {
        const now = performance.now()
        if (answeredAtMs.filter((at) => at > now - 1_000).length >= 10) return refusal
        answeredAtMs.push(now)
        return undefined
      },
    })
    const { code, output } = await init(['--rpc', limited.url, '--factory', market.factory, '--yes', '--name', 'slow'])
    await limited.close()
    expect(output.split('\n').filter((line) => line.startsWith('FAIL'))).toEqual([])
    expect(output).toContain('4 tokens for the first list')
    expect(code).toBe(0)
  })

  it('shows a key of a URL nowhere and writes it nowhere, and says that the server wants it', async () => {
    const key = 'k3y-0123456789abcdef'
    const node = await startStrangeNode(market.rpcUrl, {})
    const { code, output } = await init(['--factory', market.factory, '--yes', '--name', 'keyed'], {
      RPC_URL: `${node.url}/v2/${key}`,
    })
    await node.close()
    expect(code).toBe(0)
    expect(output.trim().split('\n').at(-1)).toBe(
      `Next, with your URL (it may contain a key, so no file has it): RPC_URL=<url> NETWORKS_DIR=${folder} NETWORK=keyed npm start`,
    )
    const files = ['keyed.json', 'lists/keyed/assets.json', 'lists/keyed/highlighted.json']
    expect(`${output}${files.map((file) => readFileSync(join(folder, file), 'utf8')).join('')}`).not.toContain(key)
  })

  it('without what it needs it ends with 2, names each flag, and writes nothing', async () => {
    expect(await init([])).toEqual({
      code: 2,
      output: 'Nothing was written:\n  --rpc: found nothing, expected the http(s) URL of a node\n',
    })
    const { code, output } = await init(['--rpc', market.rpcUrl, '--name', 'open'])
    expect(code).toBe(2)
    expect(output).toContain(`--factory: found ${market.factory.toLowerCase()}, not confirmed`)
    expect(output).toMatch(/--stables: found 0x[0-9a-f]{40}, not confirmed/)
    expect(existsSync(join(folder, 'open.json'))).toBe(false)
    const unknown = await init(['--rcp', market.rpcUrl])
    expect([unknown.code, unknown.output.includes("Unknown option '--rcp'")]).toEqual([2, true])
  })
})

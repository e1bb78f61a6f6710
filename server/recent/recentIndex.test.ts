import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { WireStatus, WireToken } from '@chainboard/contract'
import { type Address, Failure } from '@chainboard/core'
import { afterEach, expect, it } from 'vitest'
import type { Chain } from '../chain/chain.ts'
import { createNodeChain } from '../chain/viemChain.ts'
import { toTokenList } from '../market/tokenList.ts'
import { pause } from '../pause.ts'
import { startServer } from '../startServer.ts'
import { createIndexSwitch } from '../store/indexSwitch.ts'
import { openStore } from '../store/openStore.ts'
import { type FabricatedOptions, fabricateChain } from '../testing/fabricated/fabricatedChain.ts'
import { createPublicNode, multicall3, type PublicNodeLimits } from '../testing/fabricated/publicNode.ts'
import { serveNode } from '../testing/fabricated/serveNode.ts'
import { limitDefaults, strictLog } from '../testing/following.ts'
import { networkFile } from '../testing/market.ts'
import { native, usdc } from '../testing/simulation/modelMarket.ts'
import { createTempStores } from '../testing/tempStores.ts'
import { testConfig } from '../testing/testConfig.ts'
import { openRecentIndex } from './recentIndex.ts'

// A whole server on a chain of 41 days that it does not know yet.

const stores = createTempStores()
const ends: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const end of ends.splice(0)) await end()
})

const options: FabricatedOptions = {
  ...{ seed: 'a chain of 41 days', chainId: 31_337, blocks: 60_000, pools: 12, swaps: 6_000, periodSeconds: 60 },
  headSeconds: Math.floor(Date.now() / 1_000),
}

async function openSite(limits: PublicNodeLimits) {
  const chain = fabricateChain(options)
  const clock = { nowMs: () => performance.now(), pause: (ms: number) => pause(ms, new AbortController().signal) }
  const node = createPublicNode(chain, limits, clock)
  const { url: rpcUrl, stop } = await serveNode(node)
  ends.push(stop)
  const dataDir = mkdtempSync(join(tmpdir(), 'chainboard-recent-'))
  ends.push(async () => rmSync(dataDir, { recursive: true, force: true }))
  const { chain: chainFile, dex, prices } = networkFile
  const config = testConfig({
    store: await stores.locate('sqlite'),
    dataDir,
    rpcUrls: [rpcUrl],
    network: {
      ...networkFile,
      chain: { ...chainFile, id: 31_337, confirmations: 8, mayRestart: false, pollMs: 100, logRangeMax: 10_000 },
      dex: { ...dex, factory: chain.factory, startBlock: 1 },
      usdc: { address: usdc.address, decimals: 6 },
      otherStables: [],
      wrappedNative: { address: native.address, symbol: 'WETH' } as never,
      prices: { ...prices, sources: ['index'], depthFloorUsd: 10 },
      index: { pools: 'all' },
    },
    tokenList: toTokenList(
      chain.listed.map(({ address, symbol, decimals }) => ({
        ...{ address, symbol, decimals, name: `Token ${symbol}`, logo: '/logos/none.svg', category: 'Other', verified: false },
      })) as never,
      [],
    ),
  })
  const start = async () => {
    const server = await startServer(config)
    let isOpen = true
    const close = async () => {
      if (isOpen) await server.close()
      isOpen = false
    }
    ends.unshift(close)
    const read = async <T>(path: string) => (await (await fetch(`${server.url}${path}`)).json()) as T
    return { ...server, close, read }
  }
  return { chain, node, dataDir, config, start }
}

type Site = Awaited<ReturnType<Awaited<ReturnType<typeof openSite>>['start']>>

const readToken = async (site: Pick<Site, 'read'>, symbol: string) =>
  (await site.read<WireToken[]>('/assets.json')).find((token) => token.symbol === symbol)

/** What a visitor sees at a moment. */
async function look(site: Pick<Site, 'read'>) {
  const status = await site.read<WireStatus>('/api/status')
  const token = await readToken(site, 'WETH')
  const isPriced = token?.priceStatus === 'priced'
  // Nothing old is called current: what has a price has the one of now.
  if (isPriced) expect(Date.now() / 1_000 - (token.priceAsOf ?? 0)).toBeLessThan(900)
  return {
    ...{
      status,
      isPriced,
      isWhole: ['live', 'stalled'].includes(status.state) && status.completeSince === null && status.progress === null,
    },
    has: {
      volume24h: token?.volume24h != null && isPriced,
      change24h: token?.priceChange24h != null && isPriced,
      change7d: token?.priceChange7d != null && isPriced,
    },
  }
}

const day = 86_400
const slow: PublicNodeLimits = { latencyMs: 20, perSecond: 150, blocksMax: 1_000, wantsAddress: true, tellsTimes: false }

it('answers with prices of now, then with the last day, then with 31 days, and at last with the whole history', {
  timeout: 180_000,
}, async () => {
  const limits = { ...slow, perSecond: 60 }
  const { chain, dataDir, start } = await openSite(limits)
  const site = await start()
  const now = Date.now() / 1_000
  /** What was there, by how many days of events the figures had. */
  const seen = new Map<string, Awaited<ReturnType<typeof look>>['has']>()
  const phases = new Set<string>()
  for (let isWhole = false; !isWhole; await pause(50, new AbortController().signal)) {
    const { status, isPriced, has, ...rest } = await look(site)
    isWhole = rest.isWhole
    if (status.progress) phases.add(status.progress.phase)
    const days = status.completeSince === null ? 'all' : Math.floor((now - status.completeSince) / day)
    if (isPriced) seen.set(`${days}`, has)
    // Slowly enough for the pace of 31 days, and of the history, to be known before their end.
    limits.perSecond = days === 1 || days === 31 ? 20 : 60
  }
  expect([...seen.keys()]).toEqual(['0', '1', '31', 'all'])
  expect(seen.get('0')).toEqual({ volume24h: false, change24h: false, change7d: false })
  expect(seen.get('1')).toEqual({ volume24h: true, change24h: true, change7d: false })
  expect(seen.get('31')).toEqual({ volume24h: true, change24h: true, change7d: true })
  expect(phases).toContain('month')
  expect(phases).toContain('history')
  // The whole index answers first.
  await expect.poll(() => existsSync(join(dataDir, 'recent'))).toBe(false)
  expect(chain.head().number).toBe(60_000)
})

it('continues after a restart with the index that it had, and reads no event of it again', { timeout: 180_000 }, async () => {
  const { node, start } = await openSite(slow)
  const site = await start()
  const since = async () => (await look(site)).status.completeSince ?? Number.POSITIVE_INFINITY
  await expect.poll(since, { timeout: 120_000 }).toBeLessThan(Date.now() / 1_000 - 31 * day)
  const before = await since()
  await site.close()
  const { logs } = node.seen
  const again = await start()
  await expect.poll(async () => (await look(again)).isPriced, { timeout: 30_000 }).toBe(true)
  expect((await look(again)).status.completeSince).toBe(before)
  expect(node.seen.logs - logs).toBeLessThan(1_500)
})

/** The indexes by themselves, on the same chain: every wait is over at once. */
async function openAlone(chain: (real: Chain) => Partial<Chain> = () => ({})) {
  const fabricated = fabricateChain(options)
  const node = createPublicNode(fabricated, {}, { nowMs: () => 0, pause: async () => undefined })
  const real = createNodeChain([node])
  const main = await stores.openNew('sqlite')
  const served = createIndexSwitch({ store: main, sinceSeconds: undefined })
  const folder = mkdtempSync(join(tmpdir(), 'chainboard-recent-'))
  ends.push(async () => rmSync(folder, { recursive: true, force: true }))
  const waits: number[] = []
  const valuation = {
    ...{ stables: [usdc.address as Address], wrappedNative: native.address as Address, quotes: [] },
    ...{ depthFloorUsdE18: 10n ** 18n, windowSeconds: 240 },
  }
  const start = () => {
    const recent = openRecentIndex({
      ...{ chain: { ...real, ...chain(real) }, chainId: 31_337, main, served, folder, log: strictLog, nowMs: () => Date.now() },
      scope: { factory: fabricated.factory as Address, onlyTokens: undefined, valuation },
      limits: { ...limitDefaults, startBlock: 1, spanMax: 10_000 },
      search: { factory: fabricated.factory as Address, multicall: multicall3 as Address, wants: () => true },
      tokens: fabricated.listed.map(({ address }) => address as Address),
      openStore: (file) => openStore({ file }),
      onChange: () => undefined,
      pause: async (ms, signal) => {
        waits.push(ms)
        await pause(Math.min(ms, 20), signal)
      },
    })
    ends.unshift(recent.stop)
    return recent
  }
  return { start, served, folder, waits }
}

it('lets the history be read where the contracts do not answer, and tries again seldom', { timeout: 60_000 }, async () => {
  const silent = new Failure('rpc-unavailable', 'missing trie node', { retryable: true })
  const { start, served, waits } = await openAlone(() => ({ forward: () => Promise.reject(silent) }))
  const recent = start()
  await recent.settled
  expect(waits).toEqual([2_000, 4_000, 8_000, 16_000, 32_000])
  expect(recent.trouble()).toMatchObject({ kind: 'node', text: 'missing trie node' })
  await expect.poll(() => waits.at(-1)).toBe(300_000)
  expect([served.sinceSeconds(), recent.status()]).toEqual([undefined, undefined])
})

it('makes again what a damaged file had', { timeout: 60_000 }, async () => {
  const { start, served, folder } = await openAlone()
  writeFileSync(join(folder, 'month.db'), 'this is no database')
  const recent = start()
  await recent.settled
  expect((served.sinceSeconds() as number) / day).toBeLessThan(Date.now() / 1_000 / day - 31)
  expect(recent.reading()).toBeUndefined()
})

import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import type { FigureName, FigureReceipt, Receipt, WireChart } from '@chainboard/contract'
import { type Devnet, startDevnet } from '@chainboard/devnet'
import { encodeFunctionData, parseAbi } from 'viem'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { createViemChain } from '../chain/viemChain.ts'
import { readConfig } from '../config.ts'
import { toChecksum } from '../market/toChecksum.ts'
import { type Server, startServer } from '../startServer.ts'
import { startStrangeNode } from '../testing/strangeNode.ts'
import { createTempStores } from '../testing/tempStores.ts'
import { describeVerdict } from './describe.ts'
import { readSite } from './readSite.ts'
import { verifyClaim } from './verifyClaim.ts'

const stores = createTempStores()

let devnet: Devnet
let server: Server
const opened: { close(): Promise<void> }[] = []

beforeAll(async () => {
  devnet = await startDevnet({ history: 'short', live: false })
  const config = readConfig({ RPC_URL: devnet.rpcUrl, DATA_DIR: join(stores.dir, 'data'), PORT: '0', LOG_LEVEL: 'silent' })
  server = await startServer(config)
  await server.full
})
afterEach(async () => {
  await Promise.all(opened.splice(0).map((each) => each.close()))
})
afterAll(async () => {
  await server.close()
  await devnet.stop()
})

type Ended = { readonly code: number; readonly text: string }

/** As the script does, without a process of its own. */
async function verify(
  figure: string,
  token: string,
  { site = server.url, rpc = devnet.rpcUrl, hour = undefined as number | undefined } = {},
): Promise<Ended> {
  const answer = await readSite({
    ...{ site, token, figure: names[figure] },
    block: undefined,
    // In the first minutes of an hour nobody may have traded.
    hour: hour ?? (figure === 'candle' ? await findTradedHour(token) : undefined),
    timeoutMs: 60_000,
  })
  if ('problem' in answer) return { code: 2, text: answer.problem }
  const asking = { chain: createViemChain([rpc]), logRange: 1_000, onLogs: () => undefined }
  const verdict = await verifyClaim(asking, answer.claim, (said) => said)
  const codes = { equal: 0, 'not-equal': 1, 'cannot-tell': 2 } as const
  return { code: codes[verdict.kind], text: describeVerdict(answer.claim, verdict, rpc).join('\n') }
}
const names: Readonly<Record<string, FigureName>> = {
  change: 'change24h',
  volume: 'volume24h',
  candle: 'candle',
  marketcap: 'marketcap',
}

const addressOf = (symbol: string) => devnet.tokens.find((token) => token.symbol === symbol)?.address as string
const get = async <T>(path: string) => (await (await fetch(`${server.url}${path}`)).json()) as T
const readReceipt = (symbol: string) => get<Receipt>(`/api/tokens/${addressOf(symbol)}/receipt`)
const readFigure = (symbol: string, path: string) => get<FigureReceipt>(`/api/tokens/${addressOf(symbol)}/receipt/${path}`)

async function findTradedHour(symbol: string): Promise<number> {
  const { candles = [] } = await get<WireChart>(`/api/tokens/${addressOf(symbol)}/chart?range=1d&candles=1`)
  return candles.at(-1)?.time as number
}

/** A site that hands every call on to the real one, and alters its receipts. Their checksums are right all the same. */
async function startLyingSite<T extends Receipt | FigureReceipt>(
  alter: (receipt: T) => T,
  finish: (receipt: T) => T = seal,
): Promise<string> {
  const site = createServer(async (request, response) => {
    const answer: unknown = await (await fetch(new URL(request.url ?? '/', server.url))).json()
    response.end(JSON.stringify(request.url?.includes('/receipt') ? finish(alter(answer as T)) : answer))
  })
  await new Promise<void>((done) => site.listen(0, '127.0.0.1', done))
  opened.push({ close: () => new Promise<void>((done) => site.close(() => done())) })
  return `http://127.0.0.1:${(site.address() as AddressInfo).port}`
}

function seal<T extends Receipt | FigureReceipt>(receipt: T): T {
  const { checksum: _, reasons, ...claims } = receipt as Receipt & FigureReceipt
  const { warnings = undefined, price = undefined, ...rest } = claims
  const checksum = toChecksum(price ? { ...rest, price: price.checksum } : rest)
  return { ...receipt, ...(warnings ? { warnings } : {}), reasons, checksum }
}

/** Moves a pool by so many ticks, in a block of its own, and waits for the site to show it. */
async function trade(pool: `0x${string}`, ticks: number) {
  const slot = await devnet.rpc<string>('eth_call', [{ to: pool, data: '0x3850c7bd' }, 'latest'])
  await devnet.trade([{ pool, toTick: Number(BigInt.asIntN(24, BigInt(`0x${slot.slice(66, 130)}`))) + ticks }])
  const head = Number(await devnet.rpc<string>('eth_blockNumber', []))
  await expect.poll(async () => (await readReceipt('WEMB')).block?.number, { timeout: 20_000 }).toBe(head)
}

describe('npm run verify of other figures than the price', () => {
  it.each([
    ['volume', 'WEMB', '  volume24h            '],
    ['volume', 'BSLT', '  swaps                '],
    ['candle', 'BSLT', '  hour                 '],
    ['candle', 'CPPR', '  close                '],
    ['marketcap', 'WEMB', '  supply               '],
  ])('says that the %s of %s is equal', { timeout: 60_000 }, async (figure, symbol, line) => {
    const { code, text } = await verify(figure, symbol)
    expect(text).toContain('Equal, to all 18 decimals.')
    expect(text).toContain(line)
    expect(code).toBe(0)
  })

  it('says so for every token of the list', { timeout: 300_000 }, async () => {
    const rows = await get<{ symbol: string; address: string; priceStatus: string }[]>('/assets.json')
    const priced = rows.filter(({ symbol, priceStatus }) => priceStatus === 'priced' && symbol !== 'USDC' && symbol !== 'USDT')
    expect(priced.length).toBeGreaterThan(8)
    for (const { symbol, address } of priced) {
      const { code, text } = await verify('volume', address)
      // A token that nobody traded, or whose price is taken for a dollar, has nothing to prove.
      expect([symbol, code, text]).toEqual([symbol, 0, expect.stringContaining('Equal, to all 18 decimals.')])
    }
  })

  it('takes the site itself for the node, with its limit of blocks', { timeout: 60_000 }, async () => {
    const { code, text } = await verify('volume', 'BSLT', { rpc: `${server.url}/rpc` })
    expect(text).toContain('Equal, to all 18 decimals.')
    expect(code).toBe(0)
  })
})

describe('a receipt that was tampered with', () => {
  type Hop = Receipt['steps'][number]['pools'][number]
  const alterPool =
    (alter: (pool: Hop) => Partial<Hop>) =>
    (receipt: Receipt): Receipt => ({
      ...receipt,
      steps: receipt.steps.map((step, i) => ({
        ...step,
        pools: step.pools.map((pool, j) => (i === 0 && j === 0 ? { ...pool, ...alter(pool) } : pool)),
      })),
    })

  it.each<[string, (receipt: Receipt) => Receipt]>([
    ['depthUsd of 0x', alterPool(({ depthUsd }) => ({ depthUsd: `1${depthUsd}` }))],
    ['weightUsd of 0x', alterPool(({ weightUsd }) => ({ weightUsd: `1${weightUsd}` }))],
    ['usdPrice of 0x', alterPool(() => ({ usdPrice: '7' }))],
    ['firstSwapAt of 0x', alterPool(({ firstSwapAt }) => ({ firstSwapAt: (firstSwapAt ?? 0) + 1 }))],
    ['lastPriceUsd ', (receipt) => ({ ...receipt, lastPriceUsd: '1.5' })],
    ['priceLow ', (receipt) => ({ ...receipt, priceLow: receipt.priceHigh })],
    ['costToMove10Percent ', (receipt) => ({ ...receipt, costToMove10Percent: '9999999' })],
    ['route ', (receipt) => ({ ...receipt, route: receipt.route.toReversed() })],
  ])('is told by the name of the field: %s', { timeout: 60_000 }, async (field, alter) => {
    const { code, text } = await verify('price', 'CPPR', { site: await startLyingSite(alter) })
    expect(text).toContain(`\n  ${field}`)
    expect(text).toContain('Not equal')
    expect(code).toBe(1)
  })

  it.each<[string, (receipt: Receipt) => Receipt]>([
    ['confidence', (receipt) => ({ ...receipt, confidence: 0.123 })],
    ['checksum', (receipt) => ({ ...receipt, checksum: '00'.repeat(32) })],
  ])('is told by its checksum where nothing else can tell: %s', { timeout: 60_000 }, async (_, alter) => {
    const { code, text } = await verify('price', 'WEMB', { site: await startLyingSite(alter, (receipt) => receipt) })
    expect(text).toContain('\n  checksum ')
    expect(code).toBe(1)
  })

  it('names a pool that counts and that the receipt leaves out', { timeout: 60_000 }, async () => {
    const receipt = await readReceipt('BSLT')
    const [first, second] = receipt.steps[0]?.pools ?? []
    expect(second).toBeDefined()
    // Everything fits the one pool that is left.
    const alone = (one: Receipt): Receipt => ({
      ...one,
      priceInUsd: first?.usdPrice ?? null,
      steps: one.steps
        .map((step, i) => (i === 0 ? { ...step, priceInUsd: first?.usdPrice ?? '', pools: step.pools.slice(0, 1) } : step))
        .filter(({ token }, i) => i === 0 || token === first?.quote || first?.quote !== undefined),
    })
    const { code, text } = await verify('price', 'BSLT', { site: await startLyingSite(alone) })
    expect(text).toContain(`the site says nothing of ${second?.pool}, the node that it was left out, with a weight of `)
    expect(code).toBe(1)
  })

  type Change = (receipt: FigureReceipt) => FigureReceipt
  const alterSpan =
    (alter: (span: NonNullable<FigureReceipt['volume']>) => Partial<NonNullable<FigureReceipt['volume']>>): Change =>
    (receipt) => ({ ...receipt, volume: receipt.volume && { ...receipt.volume, ...alter(receipt.volume) } })
  const alterFirst = (change: Partial<NonNullable<FigureReceipt['volume']>['pools'][number]>) =>
    alterSpan(({ pools }) => ({ pools: pools.map((pool, i) => (i === 0 ? { ...pool, ...change } : pool)) }))

  it.each<[string, Change, string]>([
    ['volume', (receipt) => ({ ...receipt, value: `1${receipt.value}` }), 'volume24h '],
    ['volume', alterFirst({ swaps: 3 }), 'swaps of 0x'],
    ['volume', alterFirst({ volumeUsd: '3' }), 'volumeUsd of 0x'],
    ['volume', alterFirst({ checksum: 'ab'.repeat(32) }), 'checksum of 0x'],
    ['volume', alterSpan(({ pools }) => ({ pools: pools.slice(1) })), 'pool 0x'],
    ['candle', (receipt) => ({ ...receipt, candle: receipt.candle && { ...receipt.candle, high: '9999' } }), 'candle.high '],
    ['marketcap', (receipt) => ({ ...receipt, value: '5' }), 'marketcap '],
  ])('of a %s is told by name', { timeout: 60_000 }, async (figure, alter, field) => {
    const { code, text } = await verify(figure, 'BSLT', { site: await startLyingSite(alter) })
    expect(text).toContain(`\n  ${field}`)
    expect(code).toBe(1)
  })
})

describe('liquidity that comes and goes within the window', () => {
  const artifact = JSON.parse(readFileSync(join(import.meta.dirname, '../../devnet/artifacts/DevTrader.json'), 'utf8'))
  const abi = parseAbi([
    'function mint(address to, uint256 amount)',
    'function createPool(address a, address b, uint24 fee)',
    'function getPool(address a, address b, uint24 fee) view returns (address)',
    'function initialize(uint160 sqrtPriceX96)',
  ])
  const none = { kind: 0, zeroForOne: false, amount: 0n, limit: 0n, tickLower: 0, tickUpper: 0, liquidity: 0n }
  type Tokens = Pick<Devnet['pools'][number], 'token0' | 'token1'>
  const read = (to: string, data: string) => devnet.rpc<string>('eth_call', [{ to, data }, 'latest'])
  const readTick = async (pool: string) =>
    Number(BigInt.asIntN(24, BigInt(`0x${(await read(pool, '0x3850c7bd')).slice(66, 130)}`)))
  let deployer: string
  let trader: `0x${string}`

  beforeAll(async () => {
    deployer = devnet.accounts[0]?.address as string
    trader = (await send(deployer, undefined, artifact.bytecode)) as `0x${string}`
  })

  async function send(from: string, to: string | undefined, data: string): Promise<string> {
    const hash = await devnet.rpc('eth_sendTransaction', [{ from, ...(to ? { to } : {}), data, gas: '0x5f5e100' }])
    for (;;) {
      const receipt = await devnet.rpc<{ status: string; contractAddress: string } | null>('eth_getTransactionReceipt', [hash])
      if (!receipt) continue
      expect(receipt.status).toBe('0x1')
      return receipt.contractAddress
    }
  }

  async function fund({ token0, token1 }: Tokens): Promise<void> {
    for (const token of [token0, token1])
      await send(deployer, token, encodeFunctionData({ abi, functionName: 'mint', args: [trader, 10n ** 40n] }))
  }

  async function act(pool: string, one: Partial<typeof none>, seconds = 50): Promise<void> {
    await devnet.rpc('evm_increaseTime', [seconds])
    const args = [pool, [{ ...none, ...one }]]
    await send(deployer, trader, encodeFunctionData({ abi: artifact.abi, functionName: 'run', args }))
  }

  it('is taken back from the ticks of the block', { timeout: 120_000 }, async () => {
    const hops = (await readReceipt('BSLT')).steps[0]?.pools ?? []
    const weighed = hops.find(({ quoteSymbol }) => quoteSymbol === 'USDC')?.pool.toLowerCase()
    const pool = devnet.pools.find(({ address }) => address.toLowerCase() === weighed) as Devnet['pools'][number]
    await fund(pool)
    const tick = Math.floor((await readTick(pool.address)) / 200) * 200
    const range = { tickLower: tick - 200, tickUpper: tick + 400 }
    const readDepth = async () => {
      const [step] = (await readReceipt('BSLT')).steps
      return Number(step?.pools.find((one) => one.pool.toLowerCase() === weighed)?.depthUsd)
    }
    const before = await readDepth()
    // Ten times the pool's own liquidity, in for more than half of the window, then out by halves.
    const own = BigInt(await read(pool.address, '0x1a686502'))
    await act(pool.address, { kind: 1, ...range, liquidity: own * 10n })
    await trade(pool.address, 90)
    await act(pool.address, { kind: 2, ...range, liquidity: own * 5n }, 130)
    await trade(pool.address, -150)
    for (const figure of ['price', 'volume', 'candle']) {
      const { code, text } = await verify(figure, 'BSLT')
      expect([figure, code, text]).toEqual([figure, 0, expect.stringContaining('Equal, to all 18 decimals.')])
    }
    expect(await readDepth()).toBeGreaterThan(5 * before)
    await act(pool.address, { kind: 2, ...range, liquidity: own * 5n })
    await trade(pool.address, 20)
    expect((await verify('price', 'BSLT')).code).toBe(0)
  })

  it('does not count in an old pool that was empty', { timeout: 120_000 }, async () => {
    const { factory } = devnet.contracts
    const known = devnet.pools.find(({ base, quote }) => base === 'BSLT' && quote === 'USDC') as Devnet['pools'][number]
    const { token0, token1, address } = known
    const fee = known.feeTier === 10_000 ? 500 : 10_000
    const pair = [token0, token1, fee] as const
    await send(deployer, factory, encodeFunctionData({ abi, functionName: 'createPool', args: pair }))
    const pool = `0x${(await read(factory, encodeFunctionData({ abi, functionName: 'getPool', args: pair }))).slice(-40)}`
    const root = BigInt((await read(address, '0x3850c7bd')).slice(0, 66))
    await send(deployer, pool, encodeFunctionData({ abi, functionName: 'initialize', args: [root] }))
    await fund(known)
    const tick = Math.floor((await readTick(pool)) / 200) * 200
    const range = { tickLower: tick - 1_000, tickUpper: tick + 1_000 }
    const liquidity = 10n * BigInt(await read(address, '0x1a686502'))
    await act(pool, { kind: 1, ...range, liquidity })
    await act(pool, { kind: 0, zeroForOne: true, amount: 1_000n, limit: 4_295_128_740n })
    await act(pool, { kind: 2, ...range, liquidity })
    await devnet.rpc('evm_increaseTime', [3_900])
    await trade(address, 5)
    await act(pool, { kind: 1, ...range, liquidity })
    await trade(address, 5)
    expect((await readReceipt('BSLT')).steps[0]?.pools.map((hop) => hop.pool.toLowerCase())).not.toContain(pool)
    const { code, text } = await verify('price', 'BSLT')
    expect([code, text]).toEqual([0, expect.stringContaining('Equal, to all 18 decimals.')])
  })
})

// Last: it moves the chain on by a day.
describe('a node without the state of old blocks', () => {
  it('tells the price of 24 hours before from logs, also where the node has no state that old', {
    timeout: 120_000,
  }, async () => {
    const pool = devnet.pools[0]?.address as `0x${string}`
    await trade(pool, 120)
    const hour = (await readReceipt('WEMB')).block?.timestamp as number
    await devnet.rpc('evm_increaseTime', [86_400 + 30])
    await trade(pool, -60)
    const receipt = await readFigure('WEMB', 'change24h')
    expect(receipt.value).not.toBeNull()
    const head = receipt.block?.number as number
    const pruned = await startStrangeNode(devnet.rpcUrl, {
      answer: ({ method, params }) =>
        method === 'eth_call' && params[1] !== 'latest' && Number(params[1]) < head
          ? { error: { code: -32_000, message: 'missing trie node 1b2c (path )' } }
          : undefined,
    })
    opened.push(pruned)
    for (const figure of ['price', 'change', 'volume', 'candle']) {
      const { code, text } = await verify(figure, 'WEMB', { rpc: pruned.url })
      expect([figure, code, text]).toEqual([figure, 0, expect.stringContaining('Equal, to all 18 decimals.')])
    }
    // An hour of the day before: the state at its end is gone, too.
    expect(await verify('candle', 'WEMB', { rpc: pruned.url, hour })).toEqual({
      code: 0,
      text: expect.stringContaining('Equal, to all 18 decimals.'),
    })
    const { code, text } = await verify('change', 'BSLT')
    expect(text).toContain('  a day before         ')
    expect(code).toBe(0)
  })
})

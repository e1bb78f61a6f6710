// A stable coin that is none, and a pool that is drained behind a receipt.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join, resolve } from 'node:path'
import type { Receipt } from '@chainboard/contract'
import { type Address, formatPrice, type Hex, hopPrice, oneE18, rawToDecimal, timesFraction } from '@chainboard/core'
import { type Devnet, startDevnet } from '@chainboard/devnet'
import { decodeFunctionResult, encodeFunctionData, parseAbi } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createViemChain } from '../chain/viemChain.ts'
import { readConfig } from '../config.ts'
import { toChecksum } from '../market/toChecksum.ts'
import { type Server, startServer } from '../startServer.ts'
import { createTempStores } from '../testing/tempStores.ts'
import { describeVerdict } from './describe.ts'
import { readSite } from './readSite.ts'
import { verifyClaim } from './verifyClaim.ts'

const stores = createTempStores()
const networks = resolve(import.meta.dirname, '../../networks')
const abi = parseAbi([
  'struct Decrease { uint256 tokenId; uint128 liquidity; uint256 amount0Min; uint256 amount1Min; uint256 deadline; }',
  'function decreaseLiquidity(Decrease params)',
  'function totalSupply() view returns (uint256)',
  'function ownerOf(uint256 tokenId) view returns (address)',
  'function positions(uint256 tokenId) view returns (uint96 nonce, address operator, address token0, address token1, uint24 fee, int24 tickLower, int24 tickUpper, uint128 liquidity, uint256 growth0, uint256 growth1, uint128 owed0, uint128 owed1)',
])

let devnet: Devnet
let server: Server
const closing: (() => Promise<void>)[] = []

/** The devnet's network, whose file calls CNDR a stable coin. Its pool with USDC has $3,500 within 2 %, where 100 floors are $1,000. */
function writeNetworks(): string {
  const folder = join(stores.dir, 'networks')
  mkdirSync(join(folder, 'lists/devnet'), { recursive: true })
  const network = JSON.parse(readFileSync(join(networks, 'devnet.json'), 'utf8'))
  const prices = { ...network.prices, depthFloorUsd: 10 }
  writeFileSync(join(folder, 'devnet.json'), JSON.stringify({ ...network, prices, otherStables: [addressOf('CNDR')] }))
  for (const file of ['assets.json', 'highlighted.json'])
    writeFileSync(join(folder, 'lists/devnet', file), readFileSync(join(networks, 'lists/devnet', file)))
  return folder
}

beforeAll(async () => {
  devnet = await startDevnet({ history: 'short', live: false })
  const env = { RPC_URL: devnet.rpcUrl, DATA_DIR: join(stores.dir, 'data'), PORT: '0', LOG_LEVEL: 'silent' }
  server = await startServer(readConfig(env, writeNetworks()))
  await server.full
})
afterAll(async () => {
  for (const close of closing) await close()
  await server.close()
  await devnet.stop()
})

const addressOf = (symbol: string) => devnet.tokens.find((token) => token.symbol === symbol)?.address as Address
const get = async <T>(path: string) => (await (await fetch(`${server.url}${path}`)).json()) as T
const readReceipt = (symbol: string) => get<Receipt>(`/api/tokens/${addressOf(symbol)}/receipt`)

type Options = { readonly site?: string; readonly block?: number; readonly figure?: 'volume24h' | undefined }

async function verify(token: string, { site = server.url, block, figure }: Options = {}) {
  const answer = await readSite({ site, token, figure, block, hour: undefined, timeoutMs: 60_000 })
  if ('problem' in answer) return { kind: 'cannot-tell', text: answer.problem }
  const asking = { chain: createViemChain([devnet.rpcUrl]), logRange: 1_000, onLogs: () => undefined }
  const verdict = await verifyClaim(asking, answer.claim, (said) => said)
  return { kind: verdict.kind, text: describeVerdict(answer.claim, verdict, devnet.rpcUrl).join('\n') }
}

/** A site that hands every call on, and whose receipts are altered and sealed again. */
async function startLyingSite(alter: (receipt: Receipt) => Receipt): Promise<string> {
  const site = createServer(async (request, response) => {
    const answer: unknown = await (await fetch(new URL(request.url ?? '/', server.url))).json()
    response.end(JSON.stringify(request.url?.includes('/receipt') ? seal(alter(answer as Receipt)) : answer))
  })
  await new Promise<void>((done) => site.listen(0, '127.0.0.1', done))
  closing.push(() => new Promise<void>((done) => site.close(() => done())))
  return `http://127.0.0.1:${(site.address() as AddressInfo).port}`
}

function seal(receipt: Receipt): Receipt {
  const { checksum: _, reasons, warnings, ...claims } = receipt
  return { ...claims, reasons, warnings, checksum: toChecksum(claims) }
}

describe('a stable coin off its peg', () => {
  it.each(['CNDR', 'CPPR', 'WEMB'])('is in the sum that a stranger works out for %s', { timeout: 60_000 }, async (symbol) => {
    const { kind, text } = await verify(symbol)
    expect([kind, text]).toEqual(['equal', expect.stringContaining('Equal, to all 18 decimals.')])
    const volume = await verify(symbol, { figure: 'volume24h' })
    expect([volume.kind, volume.text]).toEqual(['equal', expect.stringContaining('Equal, to all 18 decimals.')])
  })

  it('has its one pool with the unit as its price, and the warning says so', async () => {
    const { restsOn, steps, warnings, priceInUsd } = await readReceipt('CNDR')
    expect(restsOn).toBe('pools')
    expect(steps.map(({ symbol, pools }) => [symbol, pools.map(({ quoteSymbol }) => quoteSymbol)])).toEqual([['CNDR', ['USDC']]])
    const counts = `Prices here count it as $${formatPrice(Number(priceInUsd))}`
    expect(warnings).toEqual([expect.objectContaining({ code: 'off-peg', text: expect.stringContaining(counts) })])
    expect((await readReceipt('CPPR')).steps.map(({ symbol }) => symbol)).toEqual(['CPPR', 'CNDR'])
  })

  it('is named when a receipt counts it as a dollar all the same', { timeout: 60_000 }, async () => {
    const asDollar = (receipt: Receipt): Receipt => {
      const [step] = receipt.steps
      const [pool] = step?.pools ?? []
      if (!step || !pool) throw new Error('CPPR has no pool')
      const usd = rawToDecimal(timesFraction(oneE18, hopPrice(pool, BigInt(pool.medianX96))), 18)
      return { ...receipt, priceInUsd: usd, steps: [{ ...step, priceInUsd: usd, pools: [{ ...pool, usdPrice: usd }] }] }
    }
    const { kind, text } = await verify('CPPR', { site: await startLyingSite(asDollar) })
    expect(kind).toBe('not-equal')
    const [pool] = (await readReceipt('CPPR')).steps[0]?.pools ?? []
    expect(text).toContain(`usdPrice of ${pool?.pool}`)
    expect(text).toContain(`the node ${pool?.usdPrice}`)
  })
})

// Last: it moves the chain on.
describe('a pool that is drained after a receipt', () => {
  const ask = (data: Hex) => devnet.rpc<Hex>('eth_call', [{ to: devnet.contracts.positionManager, data }, 'latest'])

  async function drain(pool: Devnet['pools'][number]): Promise<void> {
    const count = BigInt(await ask(encodeFunctionData({ abi, functionName: 'totalSupply' })))
    for (let tokenId = 1n; tokenId <= count; tokenId += 1n) {
      const data = await ask(encodeFunctionData({ abi, functionName: 'positions', args: [tokenId] }))
      const [, , token0, token1, fee, , , liquidity] = decodeFunctionResult({ abi, functionName: 'positions', data })
      const same = [token0, token1].every((token, i) => token.toLowerCase() === [pool.token0, pool.token1][i]?.toLowerCase())
      if (!same || fee !== pool.feeTier) continue
      const owner = await ask(encodeFunctionData({ abi, functionName: 'ownerOf', args: [tokenId] }))
      const params = { tokenId, liquidity: liquidity - liquidity / 5_000n, amount0Min: 0n, amount1Min: 0n, deadline: 2n ** 40n }
      const burn = encodeFunctionData({ abi, functionName: 'decreaseLiquidity', args: [params] })
      const to = devnet.contracts.positionManager
      await devnet.rpc('eth_sendTransaction', [{ from: `0x${owner.slice(-40)}`, to, data: burn, gas: '0x989680' }])
    }
    await devnet.mine()
  }

  it('leaves the receipt right, and is named in one that still counts it', { timeout: 120_000 }, async () => {
    const pool = devnet.pools.find((one) => one.base === 'BSLT' && one.quote === 'USDC') as Devnet['pools'][number]
    const before = await readReceipt('BSLT')
    const block = before.block?.number as number
    const hops = (receipt: Receipt) => receipt.steps[0]?.pools.map((hop) => hop.pool.toLowerCase()) ?? []
    expect(hops(before)).toContain(pool.address.toLowerCase())
    await drain(pool)
    // The window is over, and nobody trades.
    await devnet.rpc('evm_increaseTime', [600])
    await devnet.mine(2)
    const head = Number(await devnet.rpc<string>('eth_blockNumber', []))
    await expect.poll(async () => (await readReceipt('BSLT')).block?.number, { timeout: 20_000 }).toBe(head)
    const now = await readReceipt('BSLT')
    expect(hops(now)).not.toContain(pool.address.toLowerCase())

    // What the receipt says of its block is true of that block, whatever happened since.
    const old = await verify('BSLT', { block })
    expect([old.kind, old.text]).toEqual(['equal', expect.stringContaining(pool.address.toLowerCase().slice(0, 8))])
    expect((await verify('BSLT')).kind).toBe('equal')

    const counted = before.steps[0]?.pools.find((hop) => hop.pool.toLowerCase() === pool.address.toLowerCase())
    // Its median of before may be of a trade that the window has left behind since: the lie is about its weight alone.
    const drained = counted && { ...counted, medianX96: counted.sqrtPriceX96 }
    const still = (receipt: Receipt): Receipt => ({
      ...receipt,
      steps: receipt.steps.map((step, i) =>
        i === 0 && drained ? { ...step, pools: [...step.pools, { ...drained, weightUsd: '1' }] } : step,
      ),
    })
    const { kind, text } = await verify('BSLT', { site: await startLyingSite(still) })
    expect(kind).toBe('not-equal')
    expect(text).toContain(`the site says ${drained?.pool} counts, the node that it does not`)
  })
})

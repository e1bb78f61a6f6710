import { execFile } from 'node:child_process'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Receipt, WirePriceRules } from '@chainboard/contract'
import type { Devnet } from '@chainboard/devnet'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { createViemChain } from '../chain/viemChain.ts'
import { readConfig } from '../config.ts'
import { toChecksum } from '../market/toChecksum.ts'
import { type Server, startServer } from '../startServer.ts'
import { findProgram } from '../testing/findProgram.ts'
import { startShortDevnet } from '../testing/startShortDevnet.ts'
import { startStrangeNode } from '../testing/strangeNode.ts'
import { createTempStores } from '../testing/tempStores.ts'
import { describeVerdict } from './describe.ts'
import { logRangeDefault } from './readPoolEvents.ts'
import { readSite } from './readSite.ts'
import { verifyClaim } from './verifyClaim.ts'

const program = findProgram('cli/verify')
const stores = createTempStores()

let devnet: Devnet
let server: Server
const opened: { close(): Promise<void> }[] = []

beforeAll(async () => {
  devnet = await startShortDevnet()
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

/** Runs the script as `npm run verify` does. */
async function run(...args: readonly string[]): Promise<Ended> {
  return promisify(execFile)(process.execPath, [program.script, ...args], { env: program.env }).then(
    ({ stdout }) => ({ code: 0, text: stdout }),
    ({ code, stdout, stderr }) => ({ code, text: `${stdout}${stderr}` }),
  )
}

/** Verifies by the script. */
const verify = (token: string, rest: { site?: string; rpc?: string; block?: number; network?: string } = {}) =>
  run(
    ...['price', token, '--site', rest.site ?? server.url, '--rpc', rest.rpc ?? devnet.rpcUrl],
    ...(rest.network === undefined ? [] : ['--network', rest.network]),
    ...(rest.block === undefined ? [] : ['--block', String(rest.block)]),
  )

const exitCodes = { equal: 0, 'not-equal': 1, 'cannot-tell': 2 } as const

/** What the script does with its words, without a process of its own. */
async function verifyHere(token: string, { site = server.url, rpc = devnet.rpcUrl } = {}): Promise<Ended> {
  const answer = await readSite({ site, token, ...{ figure: undefined, block: undefined, hour: undefined }, timeoutMs: 60_000 })
  if ('problem' in answer) return { code: 2, text: `Cannot tell. ${answer.problem}` }
  const asking = { chain: createViemChain([rpc]), logRange: logRangeDefault, onLogs: () => undefined }
  const verdict = await verifyClaim(asking, answer.claim, (said) => said)
  return { code: exitCodes[verdict.kind], text: describeVerdict(answer.claim, verdict, rpc).join('\n') }
}

const addressOf = (symbol: string) => devnet.tokens.find((token) => token.symbol === symbol)?.address as string
const readReceipt = async (symbol: string) =>
  (await (await fetch(`${server.url}/api/tokens/${addressOf(symbol)}/receipt`)).json()) as Receipt

type Config = { readonly prices: WirePriceRules }

/** A site that hands every call on to the real one, and alters its receipts, and what it says of its rules. */
async function startLyingSite(
  alter: (receipt: Receipt) => Receipt,
  alterRules: (rules: WirePriceRules) => WirePriceRules | undefined = (rules) => rules,
): Promise<string> {
  const site = createServer(async (request, response) => {
    const answer: unknown = await (await fetch(new URL(request.url ?? '/', server.url))).json()
    if (request.url === '/api/config') {
      const config = answer as Config
      response.end(JSON.stringify({ ...config, prices: alterRules(config.prices) }))
    } else response.end(JSON.stringify(request.url?.includes('/receipt') ? alter(answer as Receipt) : answer))
  })
  await new Promise<void>((done) => site.listen(0, '127.0.0.1', done))
  opened.push({ close: () => new Promise<void>((done) => site.close(() => done())) })
  return `http://127.0.0.1:${(site.address() as AddressInfo).port}`
}

/** The price of a site that says 1 more in the last digit. */
const oneUp = (digits: string) => (BigInt(digits) + 1n).toString()

type Step = Receipt['steps'][number]

function alterFirst(
  { steps: [first, ...others] }: Receipt,
  alter: (pool: Step['pools'][number]) => Step['pools'][number],
): Step[] {
  const {
    pools: [pool, ...rest],
    ...step
  } = first as Step
  return [{ ...step, pools: [...(pool ? [alter(pool)] : []), ...rest] }, ...others]
}

describe('npm run verify', () => {
  // BSLT leads to USDC by way of WEMB; CPPR by way of two tokens.
  it.each([
    ['WEMB', 1],
    ['BSLT', 2],
    ['CPPR', 3],
  ])('says that the price of %s is equal, in %i steps', async (symbol, steps) => {
    const { code, text } = await verifyHere(addressOf(symbol))
    expect((await readReceipt(symbol)).steps).toHaveLength(steps)
    expect(text).toContain('Equal, to all 18 decimals.')
    expect(text).toContain(`  pool ${steps} `)
    expect(text).toContain(`USDC (${addressOf('USDC').toLowerCase()}) is worth one US dollar;`)
    expect(code).toBe(0)
  })

  it('takes a symbol for a token, and the node that the site names', async () => {
    const { code, text } = await run('price', 'bslt', '--site', server.url)
    expect(text).toContain(`BSLT ${addressOf('BSLT')}`)
    expect(text).toContain(', named by the site itself: --rpc sets another')
    expect(code).toBe(0)
  })

  it('cannot tell when the site answers for another token than was asked about', async () => {
    const other = (await readReceipt('CNDR')).token
    const site = await startLyingSite((receipt) => ({ ...receipt, token: other }))
    const { code, text } = await verifyHere('BSLT', { site })
    expect(text).toContain(`returned a receipt of ${other}, not of ${addressOf('BSLT')}`)
    expect(code).toBe(2)
  })

  it('names the pool whose price was altered by a digit', async () => {
    const site = await startLyingSite((receipt) => ({
      ...receipt,
      steps: receipt.steps.map(({ pools, ...step }, i) => ({
        ...step,
        pools: pools.map((pool) => (i === 1 ? { ...pool, medianX96: oneUp(pool.medianX96) } : pool)),
      })),
    }))
    const { code, text } = await verifyHere('BSLT', { site })
    const { steps } = await readReceipt('BSLT')
    const real = steps[1]?.pools[0]?.medianX96 as string
    expect(text).toContain(`Not equal, and pool ${steps[0]?.pools.length === 1 ? 2 : 3} is the first that differs.`)
    expect(text).toContain(`the site says ${oneUp(real)}, the node ${real}`)
    expect(code).toBe(1)
  })

  it.each<[string, (receipt: Receipt) => Receipt, string]>([
    [
      'a price altered in its last digit',
      (receipt) => ({
        ...receipt,
        priceInUsd: (receipt.priceInUsd ?? '').replace(/.$/, (digit) => String((Number(digit) + 1) % 10)),
      }),
      'price                the site says ',
    ],
    [
      'a pool that is none of the factory',
      (receipt) => ({
        ...receipt,
        steps: alterFirst(receipt, (pool) => ({ ...pool, fee: 500, pool: receipt.factory })),
      }),
      "factory's pool",
    ],
    ['a step of another token', (receipt) => ({ ...receipt, steps: receipt.steps.slice(1) }), 'token of the first step'],
    [
      'a block of another branch',
      (receipt) => ({ ...receipt, block: receipt.block && { ...receipt.block, hash: `0x${'ab'.repeat(32)}` } }),
      'A reorg may have just removed the block. Try again.',
    ],
    [
      'other decimals',
      (receipt) => ({ ...receipt, steps: alterFirst(receipt, (pool) => ({ ...pool, decimals0: 7 })) }),
      'decimals of token0   the site says 7',
    ],
  ])('does not call equal %s', async (_name, alter, line) => {
    const { code, text } = await verifyHere('BSLT', { site: await startLyingSite(alter) })
    expect(text).toContain('Not equal')
    expect(text).toContain(line)
    expect(code).toBe(1)
  })

  describe('of a site that leaves the better pool out', () => {
    const elsewhere = `0x${'aa'.repeat(20)}`
    /** Without the pools with WEMB, which is no wrapped coin by it: a receipt that nothing else speaks against. */
    const withoutWrapped = (receipt: Receipt): Receipt => {
      const [first] = receipt.steps as [Step]
      const pool = first.pools.find(({ quoteSymbol }) => quoteSymbol === 'USDC') as Step['pools'][number]
      const { usdPrice: priceInUsd, depthUsd } = pool
      const method = receipt.method && { ...receipt.method, wrappedNative: elsewhere }
      const steps = [{ ...first, priceInUsd, pools: [pool] }]
      const { checksum: _, reasons, warnings, ...claims } = { ...receipt, priceInUsd, depthUsd, route: [pool], steps, method }
      return { ...claims, reasons, warnings, checksum: toChecksum(claims) }
    }

    it('names the rule that the site does not publish', async () => {
      const { code, text } = await verifyHere('BSLT', { site: await startLyingSite(withoutWrapped) })
      const real = addressOf('WEMB').toLowerCase()
      expect(text).toContain(`method.wrappedNative the site says ${elsewhere}, its /api/config ${real}`)
      expect(code).toBe(1)
    })

    it('names it by a network file, also where the site publishes it', async () => {
      const site = await startLyingSite(withoutWrapped, (rules) => ({ ...rules, wrappedNative: elsewhere }))
      const network = join(import.meta.dirname, '../../networks/devnet.json')
      const { code, text } = await verify('BSLT', { site, network })
      expect(text).toContain(`the site says ${elsewhere}, ${network} ${addressOf('WEMB').toLowerCase()}`)
      expect(code).toBe(1)
      expect((await verify('BSLT', { network })).code).toBe(0)
    })

    it('cannot tell where it publishes none', async () => {
      const { code, text } = await verifyHere('BSLT', { site: await startLyingSite(withoutWrapped, () => undefined) })
      expect(text).toContain('Cannot tell. The site does not publish its pricing rules.')
      expect(code).toBe(2)
    })
  })

  it.each(['index', 'subgraph'])('cannot tell from prices of a second, by the source %s', async (source) => {
    const short = (receipt: Receipt): Receipt => ({ ...receipt, source, windowSeconds: 1 })
    const site = await startLyingSite(short, (rules) => ({ ...rules, windowSeconds: 1 }))
    const { code, text } = await verifyHere('BSLT', { site })
    expect(text).toContain('price window is 1 seconds, expected 60 or more: a single trade can set such a price')
    expect(code).toBe(2)
  })

  it('cannot tell from a node of another chain', async () => {
    const node = await startStrangeNode(devnet.rpcUrl, {
      answer: ({ method }) => (method === 'eth_chainId' ? { result: '0x1' } : undefined),
    })
    opened.push(node)
    const { code, text } = await verifyHere('BSLT', { rpc: node.url })
    expect(text).toContain('Cannot tell. The node is on chain 1, the site on chain 31337: use a node of that chain.')
    expect(code).toBe(2)
  })

  it('cannot tell the price of a stable coin, which nothing on the chain says', async () => {
    const { code, text } = await verifyHere('USDC')
    expect(text).toContain('Cannot tell. USDC counts as one US dollar: the chain can neither prove nor disprove that.')
    expect(code).toBe(2)
  })

  it('cannot tell what is outside the chain', async () => {
    const site = await startLyingSite((receipt) => ({
      ...receipt,
      restsOn: 'source',
      source: 'cmcListed',
      route: [],
      block: null,
      usd: null,
    }))
    const { code, text } = await verifyHere('BSLT', { site })
    expect(text).toContain(
      'Cannot tell. The price comes from cmcListed, outside the chain, so it cannot be recomputed from the chain.',
    )
    expect(code).toBe(2)
  })

  it('cannot tell from a node, or of a site, that is not there', async () => {
    const gone = await startStrangeNode(devnet.rpcUrl, {})
    await gone.close()
    expect(await verify('BSLT', { rpc: `${gone.url}/my-secret-key` })).toEqual({
      code: 2,
      text: expect.stringMatching(/Cannot tell\. The node gave no answer: The node is not responding\.\n$/),
    })
    expect(await verify('BSLT', { site: gone.url })).toEqual({
      code: 2,
      text: `Cannot tell. ${gone.url} does not respond like a Chainboard site\n`,
    })
  })

  it('says how it is called when it is called wrongly', async () => {
    for (const args of [
      [],
      ['price'],
      ['colour', 'BSLT'],
      ['toString', 'BSLT'],
      ['volume', 'BSLT', '--span', '0'],
      ['price', 'BSLT', '--block', 'x'],
      ['price', 'BSLT', '--site', 'here'],
      ['price', 'BSLT', '--network'],
      ['--what'],
    ]) {
      const { code, text } = await run(...args)
      expect(text).toContain('Usage: npm run verify -- price|change|volume|candle|marketcap <address or symbol>')
      expect(code).toBe(2)
    }
  })

  it('wants a network file of the chain', async () => {
    const folder = join(import.meta.dirname, '../../networks')
    expect((await verify('BSLT', { network: join(folder, 'none.json') })).text).toContain('none.json is not a network file: ')
    const wrong = await verify('BSLT', { network: join(folder, 'lists/devnet/assets.json') })
    expect(wrong).toEqual({ code: 2, text: expect.stringContaining('assets.json: ') })
  })

  it('says which tokens and which blocks the site does not have', async () => {
    expect((await verify('NOPE')).text).toBe('Cannot tell. No token with the symbol NOPE is listed there\n')
    expect((await verify('BSLT', { block: 999_999 })).text).toMatch(
      /^Cannot tell\. The index ends with block \d+, before block 999999\n$/,
    )
  })

  // Last: it moves the chain on.
  it('works out again a price that was served some blocks ago, and cannot once the node has let go of that block', {
    timeout: 120_000,
  }, async () => {
    const before = await readReceipt('WEMB')
    const block = before.block?.number as number
    const pool = devnet.pools[0]?.address as `0x${string}`
    const slot = await devnet.rpc<string>('eth_call', [{ to: pool, data: '0x3850c7bd' }, 'latest'])
    const tick = Number(BigInt.asIntN(24, BigInt(`0x${slot.slice(66, 130)}`)))
    await devnet.trade([{ pool, toTick: tick + 50 }])
    await expect.poll(async () => (await readReceipt('WEMB')).block?.number, { timeout: 20_000 }).toBeGreaterThan(block)
    expect((await readReceipt('WEMB')).lastPriceUsd).not.toBe(before.lastPriceUsd)
    const again = await verify('WEMB', { block })
    expect(again.text).toContain(`served               ${before.priceInUsd} US dollars`)
    expect(again.text).toContain('Equal, to all 18 decimals.')

    await devnet.mine(20)
    const pruned = await startStrangeNode(devnet.rpcUrl, {
      answer: ({ method, params }) =>
        method === 'eth_call' && params[1] !== 'latest' && Number(params[1]) <= block + 7
          ? { error: { code: -32_000, message: 'missing trie node 1b2c (path )' } }
          : undefined,
    })
    opened.push(pruned)
    const { code, text } = await verify('WEMB', { block, rpc: pruned.url })
    expect(text).toContain(
      `Cannot tell. The node does not have the state of block ${block} (missing trie node 1b2c (path )): it has the states of blocks ${block + 8} to ${block + 21}`,
    )
    expect(code).toBe(2)
  })
})

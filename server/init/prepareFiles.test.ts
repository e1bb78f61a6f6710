import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Failure } from '@chainboard/core'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { formatProblem, type Problem } from '../findProblems.ts'
import { type OwnMarket, type OwnToken, startOwnMarket } from '../testing/ownMarket.ts'
import { type RpcCall, type StrangeNode, type Strangeness, startStrangeNode } from '../testing/strangeNode.ts'
import { createAsker } from './asker.ts'
import type { InitFlags } from './initFlags.ts'
import { type PreparedFiles, prepareFiles } from './prepareFiles.ts'

let market: OwnMarket
let usdc: OwnToken
let networksDir: string
const opened: StrangeNode[] = []
beforeAll(async () => {
  networksDir = mkdtempSync(join(tmpdir(), 'chainboard-prepare-'))
  market = await startOwnMarket()
  usdc = await market.deployToken('USD Coin', 'USDC', 6)
  const alpha = await market.deployToken('Alpha', 'ALPHA', 18)
  await market.createPool({ token: market.weth, whole: 1_000 }, { token: usdc, whole: 2_000_000 })
  await market.createPool({ token: alpha, whole: 20_000 }, { token: market.weth, whole: 100 })
  await market.swap({ token: market.weth, whole: 0.01 }, usdc)
})
afterEach(async () => {
  await Promise.all(opened.splice(0).map((node) => node.close()))
})
afterAll(async () => {
  await market.stop()
  rmSync(networksDir, { recursive: true })
})

const strange = async (strangeness: Strangeness): Promise<string> => {
  const node = await startStrangeNode(market.rpcUrl, strangeness)
  opened.push(node)
  return node.url
}

type Outcome = { readonly prepared?: PreparedFiles; readonly problems: readonly string[]; readonly said: string }

/** @param answers of a person, in their order; absent: nobody is there */
async function prepare(
  flags: InitFlags,
  { rpc = market.rpcUrl, answers }: { rpc?: string; answers?: string[] } = {},
): Promise<Outcome> {
  const lines: string[] = []
  const say = (line: string) => void lines.push(line)
  const prompt =
    answers &&
    (async (text: string) => {
      lines.push(text)
      return answers.shift() ?? ''
    })
  const asker = createAsker({ prompt, yes: flags.yes === true, say })
  try {
    const prepared = await prepareFiles({
      flags,
      rpc: flags.rpc ?? rpc,
      networksDir,
      schemasDir: join(networksDir, 'schemas'),
      asker,
      say,
    })
    return { prepared, problems: [], said: lines.join('\n') }
  } catch (error) {
    if (!(error instanceof Failure) || error.code !== 'config-invalid') throw error
    return { problems: (error.detail['problems'] as Problem[]).map(formatProblem), said: lines.join('\n') }
  }
}

const lower = (text: string) => text.toLowerCase()
const symbolsOf = ({ prepared }: Outcome) => prepared?.files.list.assets.tokens.map(({ symbol }) => symbol)

describe('without a terminal', () => {
  it('what decides about dollars is named with its flag and what was found, and nothing is settled', async () => {
    const { problems, prepared } = await prepare({ factory: market.factory })
    expect(prepared).toBeUndefined()
    expect(problems).toEqual([
      `--stables: found ${lower(usdc.address)}, not confirmed, expected the tokens worth one US dollar, the main one first, separated by commas; --yes accepts what was found`,
    ])
  })

  it('the factory of the newest trades is named, and with --yes it is taken and printed', async () => {
    expect((await prepare({})).problems[0]).toBe(
      `--factory: found ${lower(market.factory)}, not confirmed, expected the address of the exchange's Uniswap v3 factory; --yes accepts what was found`,
    )
    const { prepared, said } = await prepare({ yes: true })
    expect(said).toContain(`--factory ${lower(market.factory)}: accepted because of --yes`)
    expect(prepared?.files.network.dex.factory).toBe(market.factory)
  })

  it('the flags of a person need no --yes', async () => {
    const outcome = await prepare({ factory: market.factory, stables: usdc.address, 'chain-name': 'Own Chain', coin: 'OWN' })
    expect(outcome.prepared?.name).toBe('own-chain')
    expect(outcome.prepared?.files.network).toMatchObject({
      siteName: 'Chainboard Own Chain',
      chain: { id: 7_612_399, name: 'Own Chain', nativeCurrency: { name: 'OWN', symbol: 'OWN', decimals: 18 } },
      wrappedNative: { symbol: 'WOWN' },
      usdc: { address: usdc.address, decimals: 6 },
    })
    expect(symbolsOf(outcome)).toEqual(['WOWN', 'USDC', 'ALPHA'])
  })

  it('a node is wanted', async () => {
    expect((await prepare({ rpc: 'node.example' })).problems).toEqual([
      '--rpc: found something else, expected the http(s) URL of a node',
    ])
  })

  it('an exchange without any pool needs the coin and the dollars named, and then has files', async () => {
    const factory = await market.deployFactory()
    const { problems, said } = await prepare({ factory, yes: true, 'start-block': '0' })
    expect(said).toContain('No pool was found')
    expect(problems).toEqual([
      '--stables: found nothing, expected the tokens worth one US dollar, the main one first, separated by commas',
      '--wrapped: found nothing, expected the address of the wrapped coin',
    ])
    const named = await prepare({ factory, 'start-block': '0', wrapped: market.weth.address, stables: usdc.address })
    expect(named.problems).toEqual([])
    expect(symbolsOf(named)).toEqual(['WOWN', 'USDC'])
  })

  it('files that are there stay, whatever --yes says, unless it is said that they go', async () => {
    const there = join(networksDir, 'there.json')
    writeFileSync(there, '{}')
    const flags = { factory: market.factory, yes: true, name: 'there' }
    expect((await prepare(flags)).problems).toEqual([
      `--name: found ${there}, which already exist, expected another name, or --overwrite to replace them`,
    ])
    expect((await prepare({ ...flags, overwrite: true })).problems).toEqual([])
    expect(existsSync(join(networksDir, 'lists'))).toBe(false)
  })
})

describe('at a terminal', () => {
  it('a person who only presses Enter gets what was found; a wrong answer is asked again', async () => {
    const { prepared, said } = await prepare({}, { answers: ['My Chain', 'No Name!', 'my-chain'] })
    expect(said).toContain('That is not the name of the files: lowercase letters, digits and dashes.')
    expect(said).toContain(`The tokens worth one US dollar, the main one first, separated by commas [${lower(usdc.address)}]: `)
    expect(prepared?.name).toBe('my-chain')
    expect(prepared?.files.network.usdc.address).toBe(usdc.address)
  })

  it('files that are there are replaced after a yes alone', async () => {
    writeFileSync(join(networksDir, 'mine.json'), '{}')
    expect((await prepare({ name: 'mine' }, { answers: ['Own', 'no'] })).problems).toHaveLength(1)
    expect((await prepare({ name: 'mine' }, { answers: ['Own', 'y'] })).problems).toEqual([])
  })
})

describe('a URL that', () => {
  const reach = 'expected a JSON-RPC answer to eth_chainId'

  it('holds a key is printed by its host and written into no file', async () => {
    const host = new URL(await strange({})).origin
    const key = 'k3y-0123456789abcdef'
    const { prepared, said } = await prepare({ factory: market.factory, yes: true }, { rpc: `${host}/v2/${key}` })
    expect(prepared?.files.network.chain.rpcUrls).toEqual([host])
    expect(prepared?.hidesKey).toBe(true)
    expect(`${said}${JSON.stringify(prepared?.files)}`).not.toContain(key)
  })

  it('a node repeats in its refusal is not repeated with its key', async () => {
    const key = 'k3y-0123456789abcdef'
    const answer = () => ({ error: { code: -32_000, message: `project ${key} is suspended` } })
    const url = await strange({ answer })
    const { problems } = await prepare({}, { rpc: `${url}/v2/${key}` })
    expect(problems[0]).toContain('found "project … is suspended"')
  })

  it('nobody answers at, or a web page does, or wants another key, is named by its host and cause', async () => {
    const closed = await startStrangeNode(market.rpcUrl, {})
    await closed.close()
    expect((await prepare({}, { rpc: `${closed.url}/secret-key-1234` })).problems).toEqual([
      `--rpc (${new URL(closed.url).host}): found ECONNREFUSED, ${reach}. Call the URL with curl, or take another node`,
    ])
    const page = await strange({ http: { status: 200, body: '<html><body>Welcome</body></html>' } })
    expect((await prepare({}, { rpc: page })).problems).toEqual([
      `--rpc (${new URL(page).host}): found not JSON: "<html><body>Welcome</body></html>", ${reach}. The URL leads to a web page: look up the right RPC URL`,
    ])
    const locked = await strange({ http: { status: 401, body: '{}' } })
    expect((await prepare({}, { rpc: locked })).problems[0]).toContain('found HTTP 401')
  })

  it('answers narrow ranges of blocks only is asked for those', async () => {
    const width = ({ params }: RpcCall) => {
      const { fromBlock, toBlock } = params[0] as { fromBlock: string; toBlock: string }
      return Number(toBlock) - Number(fromBlock) + 1
    }
    const narrow = await strange({
      answer: (call) =>
        call.method === 'eth_getLogs' && width(call) > 5
          ? { error: { code: -32_600, message: 'eth_getLogs is limited to a 5 block range' } }
          : undefined,
    })
    const outcome = await prepare({ factory: market.factory, yes: true, 'start-block': '0' }, { rpc: narrow })
    expect(symbolsOf(outcome)).toEqual(['WOWN', 'USDC', 'ALPHA'])
    expect(outcome.prepared?.files.network.chain.logRangeMax).toBeLessThanOrEqual(5)
  })
})

describe('a factory that', () => {
  /** Answers 3 to `allPairsLength()` and reverts otherwise. */
  const v2Code = '0x60003560e01c63574f2ba31460145760006000fd5b600360005260206000f3'
  const wanted = "expected the address of the exchange's Uniswap v3 factory"

  it('is a wallet, of v2 or a token is refused by what it is', async () => {
    const wallet = `0x${'77'.repeat(20)}`
    expect((await prepare({ factory: wallet })).problems).toEqual([`--factory: found no contract at this address, ${wanted}`])
    const v2 = `0x${'78'.repeat(20)}`
    await market.request('anvil_setCode', [v2, v2Code])
    expect((await prepare({ factory: v2 })).problems).toEqual([`--factory: found a Uniswap v2 factory with 3 pairs, ${wanted}`])
    expect((await prepare({ factory: usdc.address })).problems).toEqual([
      `--factory: found a contract that allows no fee, ${wanted}`,
    ])
    expect((await prepare({ factory: 'v3' })).problems).toEqual([`--factory: found something else, ${wanted}`])
  })
})

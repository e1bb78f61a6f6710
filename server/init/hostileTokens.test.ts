import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Address, Failure } from '@chainboard/core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createViemChain } from '../chain/viemChain.ts'
import { findProblems, type Problem } from '../findProblems.ts'
import { tokenListFileSchema } from '../market/tokenList.ts'
import { type OwnMarket, type OwnToken, startOwnMarket } from '../testing/ownMarket.ts'
import { createAsker } from './asker.ts'
import { type PreparedFiles, prepareFiles } from './prepareFiles.ts'
import { readPools } from './readPools.ts'

let market: OwnMarket
let usdc: OwnToken
let networksDir: string
beforeAll(async () => {
  networksDir = mkdtempSync(join(tmpdir(), 'chainboard-hostile-'))
  market = await startOwnMarket()
  usdc = await market.deployToken('USD Coin', 'USDC', 6)
  await market.createPool({ token: market.weth, whole: 1_000 }, { token: usdc, whole: 2_000_000 })
})
afterAll(async () => {
  await market.stop()
  rmSync(networksDir, { recursive: true })
})

/** As an operator who takes what is found. */
async function prepare(): Promise<{ prepared?: PreparedFiles; problems: readonly Problem[]; said: string }> {
  const lines: string[] = []
  const say = (line: string) => void lines.push(line)
  const asker = createAsker({ prompt: undefined, yes: true, say })
  const flags = { factory: market.factory, yes: true }
  try {
    const prepared = await prepareFiles({ flags, rpc: market.rpcUrl, networksDir, schemasDir: networksDir, asker, say })
    return { prepared, problems: [], said: lines.join('\n') }
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    return { problems: error.detail['problems'] as Problem[], said: lines.join('\n') }
  }
}

/** A token with a pool of 20,000 dollars on the coin's side. */
async function tradeable(name: string, symbol: string): Promise<OwnToken> {
  const token = await market.deployToken(name, symbol, 18)
  await market.createPool({ token, whole: 1_000 }, { token: market.weth, whole: 10 })
  return token
}

/** Answers its decimals to `decimals()` and a word of text to all else, as old tokens do. */
function wordCode(text: string, decimals: number): string {
  const word = Buffer.from(text).toString('hex').padEnd(64, '0')
  const decimalsHex = decimals.toString(16).padStart(2, '0')
  return `0x60003560e01c63313ce567146038577f${word}60005260206000f35b60${decimalsHex}60005260206000f3`
}

it('whatever strangers call their tokens, the list is a valid one that no terminal or page minds', async () => {
  const controls = await tradeable('Evil\u001b[2J\u202eName\n', 'EV\u0007I\u202eL\u001b[31m')
  const endless = await tradeable('N'.repeat(10_000), 'S'.repeat(10_000))
  const twins = [await tradeable('Twin', 'TWIN'), await tradeable('Twin', 'TWIN')]
  const odd = await tradeable('Odd', 'ODD')
  const [old, mute, reverting] = [await tradeable('Old', 'OLD'), await tradeable('Mute', 'MUTE'), await tradeable('No', 'NO')]
  await market.request('anvil_setCode', [old.address, wordCode('MKR', 18)])
  await market.request('anvil_setCode', [odd.address, wordCode('ODD', 255)])
  await market.request('anvil_setCode', [mute.address, '0x00'])
  await market.request('anvil_setCode', [reverting.address, '0x60006000fd'])
  const { prepared, problems, said } = await prepare()
  expect(problems).toEqual([])
  const list = prepared?.files.list.assets
  expect(findProblems(tokenListFileSchema, list)).toEqual([])
  const textOf = (token: OwnToken) => {
    const entry = list?.tokens.find(({ address }) => address === token.address)
    return entry && [entry.symbol, entry.name]
  }
  expect(textOf(controls)).toEqual(['EVIL[31m', 'Evil[2JName'])
  expect(textOf(endless)).toEqual([`${'S'.repeat(31)}…`, `${'N'.repeat(63)}…`])
  expect(twins.map(textOf)).toEqual([
    ['TWIN', 'Twin'],
    ['TWIN', 'Twin'],
  ])
  expect(textOf(old)).toEqual(['MKR', 'MKR'])
  expect([odd, mute, reverting].map(textOf)).toEqual([undefined, undefined, undefined])
  expect(said).toContain('2 tokens use the symbol TWIN: check which of them belong on the list')
  expect(said).toContain('3 have no decimals')
  for (const control of ['\u001b', '\u0007', '\u202e']) expect(said).not.toContain(control)
})

it('a token named USDC with a deep pool of its own is no dollar', async () => {
  const scam = await market.deployToken('USD Coin', 'USDC', 6)
  const bait = await market.deployToken('Bait', 'USDT', 6)
  await market.createPool({ token: scam, whole: 1e12 }, { token: bait, whole: 1e12 })
  const { prepared, said } = await prepare()
  expect(prepared?.files.network.usdc.address).toBe(usdc.address)
  expect(prepared?.files.network.otherStables).toBeUndefined()
  expect(said).toContain(`Left out USDC ${scam.address.toLowerCase()}: it does not trade against WOWN`)
  expect(prepared?.files.list.assets.tokens.map(({ address }) => address)).not.toContain(scam.address)
})

it('the deepest token is no dollar for that', async () => {
  const gem = await market.deployToken('Gem', 'GEM', 6)
  await market.createPool({ token: gem, whole: 10_000_000 }, { token: market.weth, whole: 5_000 })
  const { prepared, said } = await prepare()
  expect(prepared?.files.network.usdc.address).toBe(usdc.address)
  expect(said).not.toContain('GEM')
})

it('a pool that the factory does not know is not believed, even one that answers like another', async () => {
  const token = await market.deployToken('Victim', 'VICTIM', 18)
  const real = await market.createPool({ token, whole: 1_000 }, { token: market.weth, whole: 10 })
  const copy = `0x${'99'.repeat(20)}` as const
  await market.request('anvil_setCode', [copy, await market.request('eth_getCode', [real, 'latest'])])
  for (const slot of [0, 4]) {
    const place = `0x${slot.toString(16).padStart(64, '0')}`
    await market.request('anvil_setStorageAt', [copy, place, await market.request('eth_getStorageAt', [real, place, 'latest'])])
  }
  const chain = createViemChain([market.rpcUrl])
  const { number: head } = await chain.readHead()
  const factory = market.factory.toLowerCase() as Address
  const question = { factory, startBlock: 0, head, width: 1_000, traded: [copy], poolsMax: 100 }
  const addresses = (await readPools(chain, chain, question)).pools.map(({ address }) => address)
  expect(addresses).toContain(real.toLowerCase())
  expect(addresses).not.toContain(copy)
})

it('which of two tokens named USDC is the dollar is for a person to say, not for --yes', async () => {
  const twin = await market.deployToken('USD Coin', 'USDC', 6)
  await market.createPool({ token: market.weth, whole: 5_000 }, { token: twin, whole: 10_000_000 })
  const { prepared, problems, said } = await prepare()
  expect(prepared).toBeUndefined()
  expect(said).toContain('It is unclear which tokens are dollars: two tokens use the symbol USDC')
  expect(problems).toEqual([
    { field: '--stables', found: 'nothing', wanted: 'the tokens worth one US dollar, the main one first, separated by commas' },
  ])
})

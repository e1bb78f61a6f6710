import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { type Devnet, type DevnetOptions, devnetChainId, startDevnet } from './index.ts'
import { openChain } from './openChain.ts'
import { createRpc } from './rpc.ts'

let dataDir: string
let told: string[]
const running = new Set<Devnet>()
const children = new Set<ChildProcess>()

/** A chain that was kept, for tests that begin with any. */
let keptDir: string
beforeAll(async () => {
  keptDir = await mkdtemp(join(tmpdir(), 'devnet-kept-'))
  await (await startDevnet({ dataDir: keptDir, history: 'short', live: false })).stop()
})
afterAll(() => rm(keptDir, { recursive: true, maxRetries: 3 }))
const takeKept = () => {
  mkdirSync(join(dataDir, 'devnet'))
  copyFileSync(join(keptDir, 'devnet', 'chain.state'), stateFile())
}

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'devnet-data-'))
  told = []
})
afterEach(async () => {
  for (const devnet of running) await devnet.stop()
  for (const child of children) child.kill('SIGKILL')
  running.clear()
  children.clear()
  await rm(dataDir, { recursive: true, maxRetries: 3 })
})

async function start(options: DevnetOptions = {}): Promise<Devnet> {
  const devnet = await startDevnet({ dataDir, history: 'short', live: false, onProgress: (text) => told.push(text), ...options })
  running.add(devnet)
  return devnet
}
type Block = { number: string; hash: string; timestamp: string }
const readBlock = (devnet: Devnet, number = 'latest') => devnet.rpc<Block>('eth_getBlockByNumber', [number, false])
const stateFile = () => join(dataDir, 'devnet', 'chain.state')
const sendOne = (devnet: Devnet) =>
  devnet.rpc<string>('eth_sendTransaction', [
    { from: devnet.accounts[1]?.address, to: '0x00000000000000000000000000000000000000aa', value: '0x7' },
  ])
const boostTopic = '0xee6a12e47e61ef1f2a50a716daf719bc573bc883771cf148e2c1833ee8891c45'
async function countBoosts(devnet: Devnet): Promise<number> {
  const filter = { fromBlock: '0x0', toBlock: 'latest', address: devnet.contracts.boost, topics: [boostTopic] }
  return (await devnet.rpc<unknown[]>('eth_getLogs', [filter])).length
}
const isThere = (devnet: Devnet, hash: string) => devnet.rpc<{ status: string } | null>('eth_getTransactionReceipt', [hash])

test('a node that hangs is ended all the same, and the chain is as it was kept last', async () => {
  const first = await start({ keepMsMax: 500 })
  // Kept within seconds after it, and not only after the quarter of a minute that a start leaves the node to its readers.
  await sendOne(first)
  await expect.poll(() => existsSync(stateFile()), { timeout: 20_000 }).toBe(true)
  const node = findNode(first)
  process.kill(node, 'SIGSTOP')
  await first.stop()
  expect(told).toContain('the node is not responding: it is stopped, and the chain is as last saved')
  expect(() => process.kill(node, 0)).toThrow('ESRCH')
  const second = await start()
  expect(Number((await readBlock(second)).number)).toBeGreaterThan(0)
  expect(told).toContain('loading the saved chain')
}, 60_000)

/** The process of the node, by the port in its command line. */
function findNode({ rpcUrl }: Devnet): number {
  return Number(
    execFileSync('pgrep', ['-f', `^[^ ]*bin/anvil --port ${new URL(rpcUrl).port} `])
      .toString()
      .trim()
      .split('\n')
      .at(-1),
  )
}

test("a second start has the same blocks, the user's transaction and its effect, within five seconds", async () => {
  const first = await start()
  const hash = await sendOne(first)
  const block = await readBlock(first)
  await first.stop()
  const beforeMs = Date.now()
  const second = await start()
  expect(Date.now() - beforeMs).toBeLessThan(5_000)
  expect((await readBlock(second, block.number)).hash).toBe(block.hash)
  expect(await isThere(second, hash)).toMatchObject({ status: '0x1' })
  expect(await second.rpc('eth_getBalance', ['0x00000000000000000000000000000000000000aa', 'latest'])).toBe('0x7')
  expect(await countBoosts(second)).toBe(3)
  expect(readdirSync(join(dataDir, 'devnet', 'home'))).toEqual([])
})

test('another seed makes another chain, and says so', async () => {
  takeKept()
  const first = await start()
  const genesis = await readBlock(first, '0x5')
  await first.stop()
  const second = await start({ seed: 'other' })
  expect(told).toContain('the saved chain was made with another seed: a new one is created')
  expect((await readBlock(second, '0x5')).hash).not.toBe(genesis.hash)
})

test('a damaged file is moved aside, said, and replaced by a new chain', async () => {
  takeKept()
  const bytes = readFileSync(stateFile())
  writeFileSync(stateFile(), bytes.subarray(0, bytes.length - 100))
  const second = await start()
  expect(told.find((text) => text.includes('damaged'))).toMatch(
    /^the saved chain is damaged \(\d+ bytes instead of \d+\); it was moved to .*chain\.state\.damaged, and a new one is created$/,
  )
  expect(existsSync(`${stateFile()}.damaged`)).toBe(true)
  expect(Number((await readBlock(second)).number)).toBeGreaterThan(30)
})

test("a user's transaction is on disk within ten seconds, so that a crash does not lose it", async () => {
  const first = await start()
  const hash = await sendOne(first)
  await expect.poll(() => existsSync(stateFile()), { timeout: 10_000, interval: 200 }).toBe(true)
  const copy = readFileSync(stateFile())
  expect(await isThere(first, hash)).toMatchObject({ status: '0x1' })
  const later = await sendOne(first)
  await expect.poll(() => isThere(first, later), { timeout: 2_000 }).toMatchObject({ status: '0x1' })
  await first.stop()
  writeFileSync(stateFile(), copy)
  expect(await isThere(await start(), hash)).toMatchObject({ status: '0x1' })
})

test('an absence is filled with a trade in every hour, then time continues from now', async () => {
  const nowSeconds = Math.floor(Date.now() / 1_000)
  const away = 50 * 3_600
  const chain = await openChain({
    chainId: devnetChainId,
    folder: join(dataDir, 'devnet'),
    home: join(dataDir, 'devnet', 'home'),
    history: 'short',
    seed: 'ember',
    nowSeconds: () => nowSeconds - away,
    signal: new AbortController().signal,
    onProgress: () => {},
  })
  await chain.keep()
  await chain.close()
  const devnet = await start()
  const topics = ['0xc42079f94a6350d7e6235f29174924f928cc2ac818eb64fed8004e115fbcca67']
  const logs = await devnet.rpc<{ blockTimestamp: string }[]>('eth_getLogs', [
    { fromBlock: '0x0', toBlock: 'latest', address: devnet.pools[0]?.address, topics },
  ])
  const hours = new Set(logs.map((log) => Math.floor(Number(log.blockTimestamp) / 3_600)))
  const lastFullHour = Math.floor(nowSeconds / 3_600) - 1
  for (let hour = lastFullHour - 50; hour <= lastFullHour; hour += 1)
    expect(hours.has(hour), `hour ${hour - lastFullHour}`).toBe(true)
  expect(await countBoosts(devnet), 'users boosted again what had run out').toBe(6)
  await sendOne(devnet)
  await expect
    .poll(async () => Math.abs(Date.now() / 1_000 - Number((await readBlock(devnet)).timestamp)), { timeout: 3_000 })
    .toBeLessThan(5)
})

test('after a kill -9 of our process the node is gone within two seconds, and the next start works', async () => {
  const script = `
    const { startDevnet } = await import(${JSON.stringify(new URL('./index.ts', import.meta.url).href)})
    const devnet = await startDevnet({ dataDir: ${JSON.stringify(dataDir)}, history: 'short' })
    console.log(devnet.rpcUrl)`
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], { stdio: ['ignore', 'pipe', 'inherit'] })
  children.add(child)
  const rpcUrl = await new Promise<string>((resolve) =>
    child.stdout?.once('data', (text: Buffer) => resolve(text.toString().trim())),
  )
  const rpc = createRpc(rpcUrl)
  expect(Number(await rpc.call('eth_chainId'))).toBe(devnetChainId)
  const port = new URL(rpcUrl).port
  expect(listNodes(port)).not.toEqual([])
  child.kill('SIGKILL')
  await expect.poll(() => listNodes(port), { timeout: 2_000, interval: 100 }).toEqual([])
  await expect(rpc.call('eth_chainId')).rejects.toThrow()
  rpc.close()
  expect(Number((await readBlock(await start())).number)).toBeGreaterThan(30)
})

/** Processes, shell and node, that were started for a port. */
function listNodes(port: string): string[] {
  const lines = execFileSync('ps', ['-eo', 'pid,stat,args'], { encoding: 'utf8' }).split('\n')
  return lines.filter((line) => line.includes('anvil') && line.includes(`--port ${port} `) && !/^\s*\d+ Z/.test(line))
}

test('when the node itself dies, that is said and the live market ends', async () => {
  takeKept()
  const devnet = await start({ live: true })
  const [line] = listNodes(new URL(devnet.rpcUrl).port).filter((text) => !text.includes('sh -c'))
  process.kill(Number.parseInt(line ?? '', 10), 'SIGKILL')
  expect(await devnet.gone).toMatch(/^the node ended/)
  await expect.poll(() => told.filter((text) => text.startsWith('the local chain has stopped'))).toHaveLength(1)
})

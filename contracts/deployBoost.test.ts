// The deployment as an operator runs it, on a node of the kind that the devnet runs.
import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { createTestClient, http, parseAbi, publicActions } from 'viem'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'

const root = resolve(import.meta.dirname, '..')
/** The command finds its code compiled from its second run on. */
const compileCache = { NODE_COMPILE_CACHE: join(root, 'node_modules', '.cache', 'node') }
/** Anvil's first account: everybody knows its key. */
const key = '0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80'
const deployer = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'
const usdc = '0x00000000000000000000000000000000000000c0'
const owner = '0x00000000000000000000000000000000000000aa'

describe('npm run deploy-boost', () => {
  let anvil: ChildProcess
  let rpcUrl: string
  let folder: string
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'chainboard-boost-'))
    const args = ['--port', '0', '--chain-id', '31337', '--prune-history', '8']
    anvil = spawn(join(root, 'node_modules', '.bin', 'anvil'), args, { cwd: folder })
    rpcUrl = await listening(anvil)
    // A contract that answers 6 to whatever it is asked: all that a deployment wants of USDC.
    await client().setCode({ address: usdc, bytecode: '0x600660005260206000f3' })
  })
  afterAll(async () => {
    const gone = new Promise((settle) => anvil.once('close', settle))
    anvil.kill()
    await gone
    rmSync(folder, { recursive: true })
  })

  const client = () => createTestClient({ mode: 'anvil', transport: http(rpcUrl) }).extend(publicActions)
  const file = () => join(folder, 'test.json')
  const writeNetwork = (changes: object = {}) => {
    const chain = { id: 31337, name: 'Test', nativeCurrency: { name: 'Ember', symbol: 'EMB', decimals: 18 }, rpcUrls: [rpcUrl] }
    const lines = Object.entries({ chain, usdc: { address: usdc, decimals: 6 }, links: [], ...changes })
    const spaced = (value: unknown) => JSON.stringify(value, null, 1).replaceAll(/\n\s*/g, ' ')
    writeFileSync(file(), `{\n${lines.map(([name, value]) => `  "${name}": ${spaced(value)}`).join(',\n')}\n}\n`)
  }
  const deploy = (...args: string[]) => run(folder, key, args)
  beforeEach(() => writeNetwork())

  test('without --send nothing is sent and nothing written', async () => {
    const before = readFileSync(file(), 'utf8')
    const { code, output } = await deploy('test', '--price', '12.5', '--owner', owner)
    expect(output).toContain('Chain      Test, 31337')
    expect(output).toContain(`Owner      ${owner}`)
    expect(output).toContain(`Price      12.5 US dollars, paid in ${usdc}`)
    expect(output).toContain('Nothing was sent. --send deploys the contract at 0x5FbDB2315678afecb367f032d93F642f64180aa3.')
    expect(code).toBe(0)
    expect(await client().getTransactionCount({ address: deployer })).toBe(0)
    expect(readFileSync(file(), 'utf8')).toBe(before)
  })

  test('another chain than the network file says is refused', async () => {
    const chain = { id: 61, name: 'Test', nativeCurrency: { name: 'Ember', symbol: 'EMB', decimals: 18 }, rpcUrls: [rpcUrl] }
    writeNetwork({ chain })
    const { code, output } = await deploy('test', '--send')
    expect(output).toBe('The node is on chain 31337, the network file says 61\n')
    expect(code).toBe(1)
  })

  test('another USDC than the network file says is refused', async () => {
    writeNetwork({ usdc: { address: usdc, decimals: 18 } })
    expect((await deploy('test', '--send')).output).toBe(`USDC at ${usdc} has 6 decimals, the network file says 18\n`)
    writeNetwork({ usdc: { address: owner, decimals: 6 } })
    expect((await deploy('test', '--send')).output).toBe(
      `USDC at ${owner} does not report its decimals, the network file says 6\n`,
    )
  })

  test('a price that the contract would refuse is refused before anything is sent', async () => {
    const { code, output } = await deploy('test', '--price', '100000.1', '--send')
    expect(output).toContain('--price: found 100000.1, expected more than 0 and at most 100000')
    expect(code).toBe(1)
    expect(await client().getTransactionCount({ address: deployer })).toBe(0)
  })

  test('an account without coins is refused', async () => {
    const poor = `0x${'7'.repeat(64)}`
    const { code, output } = await run(folder, poor, ['test', '--send'])
    expect(output).toContain('has 0 EMB, the deployment costs about 0.')
    expect(code).toBe(1)
  })

  test('no message has the key in it', async () => {
    const { output } = await run(folder, `${key}0`, ['test'])
    expect(output).toContain('BOOST_DEPLOYER_KEY: expected 0x and 64 hexadecimal digits')
    expect(output).not.toContain(key.slice(2))
  })

  test('with --send the contract stands on the chain and in the network file', async () => {
    const { code, output } = await deploy('test', '--price', '12.5', '--owner', owner, '--send')
    expect(output).toContain('Deployed   0x5FbDB2315678afecb367f032d93F642f64180aa3 in block 1')
    expect(code).toBe(0)
    const { boost } = JSON.parse(readFileSync(file(), 'utf8'))
    expect(boost).toEqual({ address: '0x5FbDB2315678afecb367f032d93F642f64180aa3', startBlock: 1 })
    const abi = parseAbi(['function owner() view returns (address)', 'function boostPrice() view returns (uint256)'])
    expect(await client().readContract({ address: boost.address, abi, functionName: 'boostPrice' })).toBe(12_500_000n)
    expect(await client().readContract({ address: boost.address, abi, functionName: 'owner' })).toBe(
      '0x00000000000000000000000000000000000000AA',
    )
    const again = await deploy('test', '--send')
    expect(again.output).toBe(`${file()} already has a boost contract: remove "boost" from it to deploy another\n`)
    expect(await client().getTransactionCount({ address: deployer })).toBe(1)
  })
})

function listening(anvil: ChildProcess): Promise<string> {
  return new Promise((settle, fail) => {
    anvil.once('close', () => fail(new Error('anvil ended before it listened')))
    anvil.once('error', fail)
    const lines = createInterface({ input: anvil.stdout as NodeJS.ReadableStream })
    lines.on('line', (line) => {
      const address = /^Listening on (\S+)/.exec(line)?.[1]
      if (address) settle(`http://${address}`)
    })
  })
}

function run(
  networksDir: string,
  deployerKey: string,
  args: readonly string[],
): Promise<{ code: number | null; output: string }> {
  return new Promise((settle) => {
    const env = { ...compileCache, NETWORKS_DIR: networksDir, BOOST_DEPLOYER_KEY: deployerKey }
    const child = spawn(process.execPath, [join(root, 'tools', 'deployBoost.ts'), ...args], { env })
    let output = ''
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (output += chunk))
    child.once('close', (code) => settle({ code, output }))
  })
}

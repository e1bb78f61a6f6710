import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  type Abi,
  type Address,
  createTestClient,
  encodeDeployData,
  encodeFunctionData,
  getAddress,
  type Hex,
  http,
  parseAbi,
  parseUnits,
  publicActions,
  walletActions,
} from 'viem'

const root = resolve(import.meta.dirname, '../..')
const fromDevnet = createRequire(join(root, 'devnet', 'package.json'))
/** The node's first account, unlocked. */
const account: Address = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'
/** An id that no public list names. */
export const ownChainId = 7_612_399
const fee = 3_000
const fullRange = 887_220
const forever = 2n ** 48n

const abi = parseAbi([
  'function approve(address spender, uint256 amount)',
  'function deposit() payable',
  'function getPool(address a, address b, uint24 fee) view returns (address)',
  'function createAndInitializePoolIfNecessary(address token0, address token1, uint24 fee, uint160 sqrtPriceX96)',
  'struct Mint { address token0; address token1; uint24 fee; int24 tickLower; int24 tickUpper; uint256 amount0Desired; uint256 amount1Desired; uint256 amount0Min; uint256 amount1Min; address recipient; uint256 deadline; }',
  'function mint(Mint params)',
  'struct Swap { address tokenIn; address tokenOut; uint24 fee; address recipient; uint256 deadline; uint256 amountIn; uint256 amountOutMinimum; uint160 sqrtPriceLimitX96; }',
  'function exactInputSingle(Swap params)',
])

export type OwnToken = { readonly address: Address; readonly decimals: number }
type Receipt = { readonly status: Hex; readonly contractAddress: Address | null }
/** The node mines each transaction at once. */
const waiting = { ms: 5, triesMax: 2_000 }

/** Whole tokens of each side, which are the price too. */
export type Side = { readonly token: OwnToken; readonly whole: number }

/** A chain of a test's own with nothing on it but what the test deploys, and Uniswap's own contracts. */
export type OwnMarket = {
  readonly rpcUrl: string
  /** JSON-RPC to the node. */
  request<T>(method: string, params: readonly unknown[]): Promise<T>
  readonly factory: Address
  readonly manager: Address
  readonly weth: OwnToken
  /** Another factory, without any pool. */
  deployFactory(): Promise<Address>
  deployToken(name: string, symbol: string, decimals: number): Promise<OwnToken>
  /** A pool of 0.3 % with liquidity at every price. */
  createPool(a: Side, b: Side): Promise<Address>
  /** Sells whole tokens of `from` for `to`. */
  swap(from: Side, to: OwnToken): Promise<void>
  stop(): Promise<void>
}

/** A node with a factory, a wrapped coin (100,000 of them), a position manager and a router. Older states than 8 blocks are gone. */
export async function startOwnMarket(): Promise<OwnMarket> {
  const home = mkdtempSync(join(tmpdir(), 'chainboard-own-'))
  const args = ['--port', '0', '--chain-id', String(ownChainId), '--prune-history', '8', '--balance', '1000000']
  const anvil = spawn(join(root, 'node_modules', '.bin', 'anvil'), args, { cwd: home, stdio: ['ignore', 'pipe', 'ignore'] })
  const rpcUrl = await listening(anvil)
  const client = createTestClient({ mode: 'anvil', transport: http(rpcUrl), pollingInterval: 10 })
    .extend(publicActions)
    .extend(walletActions)
  const request = <T>(method: string, params: readonly unknown[]) => client.request({ method, params } as never) as Promise<T>
  const confirm = async (hash: Hex) => {
    let receipt: Receipt | null = null
    for (let tries = 0; !receipt && tries < waiting.triesMax; tries += 1) {
      if (tries > 0) await sleep(waiting.ms)
      receipt = await request<Receipt | null>('eth_getTransactionReceipt', [hash])
    }
    if (!receipt || Number(receipt.status) !== 1) throw new Error(`transaction ${hash} failed`)
    return receipt
  }
  // More than any of these needs: what a node estimates in one second may be too little in the next.
  const send = async (to: Address | undefined, data: Hex, value = 0n) =>
    confirm(await client.sendTransaction({ account, chain: null, to: to ?? null, data, value, gas: 25_000_000n }))
  const deploy = async (code: Artifact, deployArgs: readonly unknown[]) => {
    const { contractAddress } = await send(undefined, encodeDeployData({ ...code, args: deployArgs }))
    return getAddress(contractAddress as Address)
  }
  const write = async (address: Address, functionName: string, writeArgs: readonly unknown[], value = 0n) =>
    send(address, encodeFunctionData({ abi, functionName, args: writeArgs } as never), value)

  const deployFactory = () => deploy(readUniswap('v3-core', 'UniswapV3Factory.sol/UniswapV3Factory'), [])
  const factory = await deployFactory()
  const weth = { address: await deploy(readOwn('WrappedNative'), ['Wrapped Own', 'WOWN']), decimals: 18 }
  const periphery = [factory, weth.address]
  const manager = await deploy(readUniswap('v3-periphery', 'NonfungiblePositionManager.sol/NonfungiblePositionManager'), [
    ...periphery,
    account,
  ])
  const router = await deploy(readUniswap('v3-periphery', 'SwapRouter.sol/SwapRouter'), periphery)
  const approve = async (token: Address) => {
    for (const spender of [manager, router]) await write(token, 'approve', [spender, 2n ** 256n - 1n])
  }
  await write(weth.address, 'deposit', [], parseUnits('100000', 18))
  await approve(weth.address)

  return {
    rpcUrl,
    request,
    factory,
    manager,
    weth,
    deployFactory,
    deployToken: async (name, symbol, decimals) => {
      const address = await deploy(readOwn('DevToken'), [name, symbol, decimals, 2n ** 200n])
      await approve(address)
      return { address, decimals }
    },
    createPool: async (a, b) => {
      const [one, two] = BigInt(a.token.address) < BigInt(b.token.address) ? [a, b] : [b, a]
      const [raw0, raw1] = [toRaw(one), toRaw(two)]
      const pair = [one.token.address, two.token.address, fee] as const
      const root = BigInt(Math.round(Math.sqrt(Number(raw1) / Number(raw0)) * 2 ** 96))
      await write(manager, 'createAndInitializePoolIfNecessary', [...pair, root])
      const ticks = { tickLower: -fullRange, tickUpper: fullRange }
      const amounts = { amount0Desired: raw0, amount1Desired: raw1, amount0Min: 0n, amount1Min: 0n }
      const [token0, token1] = pair
      await write(manager, 'mint', [{ token0, token1, fee, ...ticks, ...amounts, recipient: account, deadline: forever }])
      return client.readContract({ address: factory, abi, functionName: 'getPool', args: pair })
    },
    swap: async (from, to) => {
      const tokens = { tokenIn: from.token.address, tokenOut: to.address, fee, recipient: account, deadline: forever }
      const limits = { amountIn: toRaw(from), amountOutMinimum: 0n, sqrtPriceLimitX96: 0n }
      await write(router, 'exactInputSingle', [{ ...tokens, ...limits }])
    },
    stop: async () => {
      const gone = new Promise((settle) => anvil.once('close', settle))
      anvil.kill()
      await gone
      rmSync(home, { recursive: true })
    },
  }
}

function toRaw({ token, whole }: Side): bigint {
  return parseUnits(String(whole), token.decimals)
}

type Artifact = { readonly abi: Abi; readonly bytecode: Hex }

function readOwn(name: string): Artifact {
  return JSON.parse(readFileSync(join(root, 'devnet', 'artifacts', `${name}.json`), 'utf8'))
}

function readUniswap(part: string, path: string): Artifact {
  return JSON.parse(readFileSync(fromDevnet.resolve(`@uniswap/${part}/artifacts/contracts/${path}.json`), 'utf8'))
}

async function listening(anvil: ChildProcess): Promise<string> {
  const { promise, resolve: found, reject } = Promise.withResolvers<string>()
  anvil.once('close', (code) => reject(new Error(`the node ended with ${code}`)))
  createInterface({ input: anvil.stdout as NodeJS.ReadableStream }).on('line', (line) => {
    const port = /Listening on 127\.0\.0\.1:(\d+)/.exec(line)?.[1]
    if (port) found(`http://127.0.0.1:${port}`)
  })
  return promise
}

import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { readTokenBoost } from '@chainboard/contracts'
import { type Devnet, startDevnet } from '@chainboard/devnet'
import { expect } from '@playwright/test'
import { decodeFunctionData, decodeFunctionResult, encodeFunctionData, type Hex, parseAbi } from 'viem'
import { startServerProcess } from '../server/testing/serverProcess.ts'

// A product of a test's own, whose chain it may pause, warp and hold without disturbing others.

/** Deploys and owns everything. */
const owner = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'
const boostAbi = readTokenBoost().abi
/** More than any wallet pays. */
export const highFees = { maxFeePerGas: '0x2540be40000', maxPriorityFeePerGas: '0x2540be400' } as const

const usdcAbi = parseAbi([
  'function approve(address spender, uint256 amount)',
  'function transfer(address to, uint256 amount)',
  'function allowance(address owner, address spender) view returns (uint256)',
])

type Sent = { readonly to: string; readonly data: Hex; readonly [field: string]: string | undefined }

export type BoostProduct = {
  readonly url: string
  readonly devnet: Devnet
  readonly boost: string
  readonly usdc: string
  addressOf(symbol: string): string
  /** Sends a call of the boost contract by its owner, at a fee that puts it before others in its block. */
  own(functionName: string, args?: readonly unknown[]): Promise<void>
  /** What `from` lets the contract take, in millionths of a USDC; set without any wallet of a browser. */
  approve(from: string, amountRaw: bigint): Promise<void>
  /** `undefined` for what the contract answers with nothing. */
  read(functionName: string, args?: readonly unknown[]): Promise<unknown>
  allowance(from: string): Promise<bigint>
  /** Sends anything, as an account whose key the node has. */
  send(from: string, call: Partial<Sent>): Promise<string>
  /** From now on transactions wait until `mine`, or no longer do. */
  holdBlocks(hold: boolean): Promise<void>
  mine(): Promise<void>
  /** The hashes of transactions that wait, of one sender. */
  waiting(from: string): Promise<string[]>
  warp(seconds: number): Promise<void>
  stop(): Promise<void>
}

/** A call of the boost contract or of USDC, by its name and its arguments. */
export function describeCall(data: string | undefined): readonly unknown[] {
  const { functionName, args = [] } = decodeFunctionData({ abi: [...boostAbi, ...usdcAbi], data: data as Hex })
  return [functionName, ...(args as readonly unknown[])]
}

/** @param network what its network file has besides */
export async function startBoostProduct(network: object = {}): Promise<BoostProduct> {
  const devnet = await startDevnet({ history: 'short', live: false })
  const dataDir = mkdtempSync(join(tmpdir(), 'chainboard-boost-'))
  const NETWORKS_DIR = writeNetworks(dataDir, network)
  const server = startServerProcess({ RPC_URL: devnet.rpcUrl, DATA_DIR: dataDir, NETWORKS_DIR, LOG_LEVEL: 'warn' })
  const url = (await server.full).replace(/\/$/, '')
  const addressOf = (symbol: string) => {
    const token = devnet.tokens.find((each) => each.symbol === symbol)
    expect(token, `the token ${symbol} of the devnet`).toBeDefined()
    return token?.address ?? ''
  }
  const { rpc } = devnet
  const { boost } = devnet.contracts
  const usdc = addressOf('USDC')
  const call = async (to: string, data: Hex) => rpc<Hex>('eth_call', [{ to, data }, 'latest'])
  const send = (from: string, sent: Partial<Sent>) => rpc<string>('eth_sendTransaction', [{ from, gas: '0x7a120', ...sent }])
  return {
    url,
    devnet,
    boost,
    usdc,
    addressOf,
    send,
    async own(functionName, args = []) {
      await send(owner, { to: boost, data: encodeFunctionData({ abi: boostAbi, functionName, args }), ...highFees })
    },
    async approve(from, amountRaw) {
      await send(from, {
        to: usdc,
        data: encodeFunctionData({ abi: usdcAbi, functionName: 'approve', args: [boost, amountRaw] }),
      })
    },
    async read(functionName, args = []) {
      const data = await call(boost, encodeFunctionData({ abi: boostAbi, functionName, args }))
      return decodeFunctionResult({ abi: boostAbi, functionName, data })
    },
    async allowance(from) {
      const args = [from as Hex, boost] as const
      return BigInt(await call(usdc, encodeFunctionData({ abi: usdcAbi, functionName: 'allowance', args })))
    },
    async holdBlocks(hold) {
      await rpc('evm_setAutomine', [!hold])
    },
    async mine() {
      await rpc('evm_mine')
    },
    async waiting(from) {
      const { pending } = await rpc<{ pending: Record<string, Record<string, { hash: string }>> }>('txpool_content')
      const own = Object.entries(pending).find(([sender]) => sender.toLowerCase() === from.toLowerCase())
      return Object.values(own?.[1] ?? {}).map(({ hash }) => hash)
    },
    async warp(seconds) {
      await rpc('evm_increaseTime', [seconds])
      await rpc('evm_mine')
    },
    async stop() {
      server.child.kill('SIGTERM')
      await server.ended
      await devnet.stop()
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}

function writeNetworks(folder: string, changes: object): string {
  const networks = join(folder, 'networks')
  cpSync(resolve(import.meta.dirname, '../networks'), networks, { recursive: true })
  const file = join(networks, 'devnet.json')
  writeFileSync(file, JSON.stringify({ ...JSON.parse(readFileSync(file, 'utf8')), ...changes }))
  return networks
}

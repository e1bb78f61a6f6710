// Every address of the local chain, computed without a chain: a contract's address depends only on its deployer and nonce,
// a pool's on its factory, tokens and fee.

import type { Address } from 'viem'
import { encodeAbiParameters, getAddress, getContractAddress, keccak256 } from 'viem'
import { readPoolBytecode } from './artifacts.ts'
import { DevnetFault } from './devnetFault.ts'
import { type DevPool, pools } from './pools.ts'
import { tokens } from './tokens.ts'

type Role = 'admin' | 'demo' | 'user' | 'maker'
export type DevAccount = { readonly role: Role; readonly address: Address; readonly privateKey?: `0x${string}` }

/** The node's well-known unlocked accounts, in its order. Their keys are public: never send real money there. */
export const accounts: readonly DevAccount[] = [
  {
    role: 'admin',
    address: '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266',
    privateKey: '0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80',
  },
  {
    role: 'demo',
    address: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8',
    privateKey: '0x59c6995e998f97a5a0044966f0945389dc9e86dae88c7a8412f4603b6b78690d',
  },
  { role: 'user', address: '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC' },
  { role: 'user', address: '0x90F79bf6EB2c4f870365E785982E1f101E93b906' },
  { role: 'user', address: '0x15d34AAf54267DB7D7c367839AAf71A00a2C6A65' },
  { role: 'maker', address: '0x9965507D1a55bcC2695C58ba16FB37d819B0A4dc' },
  { role: 'maker', address: '0x976EA74026E726554dB657fA54763abd0C3a0aa9' },
  { role: 'maker', address: '0x14dC79964da2C08b23698B3D3cc7Ca32193d9955' },
  { role: 'maker', address: '0x23618e81E3f5cdF7f54C3d65f7FBc0aBf5B21E8f' },
  { role: 'maker', address: '0xa0Ee7A142d267C1f36714E4a8F75612F20a79720' },
]

/** The account that creates all contracts: the admin. */
export const deployer: Address = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'
/** The account of the demo wallet. */
export const demoUser: Address = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
/** The accounts that trade for the market. */
export const makers: readonly Address[] = accounts.filter((account) => account.role === 'maker').map((account) => account.address)
/** Users who boost tokens when nobody does. */
export const boosters: readonly [Address, Address] = [
  '0x90F79bf6EB2c4f870365E785982E1f101E93b906',
  '0x15d34AAf54267DB7D7c367839AAf71A00a2C6A65',
]
/** Multicall3 has this address on nearly every chain. */
export const multicall3: Address = '0xcA11bde05977b3631167028862bE2a173976CA11'

/** What the deployer creates, in order: the place in this list is its nonce. */
export const creations = [
  'factory',
  'market',
  'WEMB',
  'positionManager',
  'swapRouter',
  'USDC',
  ...tokens.map((token) => token.symbol),
  ...tokens.filter((token) => token.staking).map((token) => `staking:${token.symbol}`),
  'quoter',
  'boost',
] as const

const byName = new Map<string, Address>(
  creations.map((name, nonce) => [name, getContractAddress({ from: deployer, nonce: BigInt(nonce) })]),
)

/**
 * Address of a created contract: a token by its symbol, its staking contract as `staking:SYMBOL`.
 * @throws DevnetFault for a name that is not created
 */
export function getDevAddress(name: string): Address {
  const address = byName.get(name)
  if (!address) throw new DevnetFault(`the devnet creates no contract named ${name}`)
  return address
}

/** A pool's tokens in the contract's order, the lower address first. */
export function sortPair(pool: DevPool): { token0: string; token1: string } {
  const baseFirst = BigInt(getDevAddress(pool.base)) < BigInt(getDevAddress(pool.quote))
  return baseFirst ? { token0: pool.base, token1: pool.quote } : { token0: pool.quote, token1: pool.base }
}

const poolCodeHash = keccak256(readPoolBytecode())

/** Where the factory puts a pool, with its checksum. */
export function poolAddress(pool: DevPool): Address {
  const { token0, token1 } = sortPair(pool)
  const salt = keccak256(
    encodeAbiParameters(
      [{ type: 'address' }, { type: 'address' }, { type: 'uint24' }],
      [getDevAddress(token0), getDevAddress(token1), pool.feeTier],
    ),
  )
  return getAddress(getContractAddress({ opcode: 'CREATE2', from: getDevAddress('factory'), salt, bytecodeHash: poolCodeHash }))
}

/** In the order of `pools`. */
export const poolAddresses: readonly Address[] = pools.map(poolAddress)

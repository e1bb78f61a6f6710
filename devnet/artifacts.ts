import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { type Abi, type Hex, isHex } from 'viem'
import { DevnetFault } from './devnetFault.ts'

export type ContractCode = { readonly abi: Abi; readonly bytecode: Hex }

const require = createRequire(import.meta.url)

const uniswapPaths = {
  factory: () => require.resolve('@uniswap/v3-core/artifacts/contracts/UniswapV3Factory.sol/UniswapV3Factory.json'),
  positionManager: () =>
    require.resolve('@uniswap/v3-periphery/artifacts/contracts/NonfungiblePositionManager.sol/NonfungiblePositionManager.json'),
  swapRouter: () => require.resolve('@uniswap/v3-periphery/artifacts/contracts/SwapRouter.sol/SwapRouter.json'),
  quoter: () => require.resolve('@uniswap/v3-periphery/artifacts/contracts/lens/QuoterV2.sol/QuoterV2.json'),
}

type OwnContract = 'DevAttacker' | 'DevMarket' | 'DevStaking' | 'DevToken' | 'DevTrickToken' | 'WrappedNative'

/** One of our own contracts, as compiled by compile.ts. */
export function readOwnContract(name: OwnContract): ContractCode {
  return readCode(join(import.meta.dirname, 'artifacts', `${name}.json`))
}

/** The code of Multicall3 as it is on other chains, without its creation. */
export function readMulticall3(): Hex {
  return readHex(readFields(join(import.meta.dirname, 'artifacts', 'Multicall3.json')), 'runtimeBytecode')
}

/** Uniswap's own published builds. */
export function readUniswapContract(name: keyof typeof uniswapPaths): ContractCode {
  return readCode(uniswapPaths[name]())
}

/** The creation code of Uniswap's pools, whose hash is in their addresses. */
export function readPoolBytecode(): Hex {
  return readCode(require.resolve('@uniswap/v3-core/artifacts/contracts/UniswapV3Pool.sol/UniswapV3Pool.json')).bytecode
}

type Fields = Readonly<Record<string, unknown>>

function readFields(path: string): Fields {
  return JSON.parse(readFileSync(path, 'utf8'))
}

function readCode(path: string): ContractCode {
  const fields = readFields(path)
  const { abi } = fields
  if (!Array.isArray(abi)) throw new DevnetFault(`${path} has no abi`)
  return { abi, bytecode: readHex(fields, 'bytecode') }
}

function readHex(fields: Fields, name: string): Hex {
  const value = fields[name]
  if (!isHex(value)) throw new DevnetFault(`An artifact has no ${name} in hexadecimal`)
  return value
}

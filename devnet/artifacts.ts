import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import type { Abi, Hex } from 'viem'

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
  return readJson(join(import.meta.dirname, 'artifacts', `${name}.json`)) as ContractCode
}

export function readMulticall3(): Hex {
  return (readJson(join(import.meta.dirname, 'artifacts', 'Multicall3.json')) as { runtimeBytecode: Hex }).runtimeBytecode
}

/** Uniswap's own published builds. */
export function readUniswapContract(name: keyof typeof uniswapPaths): ContractCode {
  return readJson(uniswapPaths[name]()) as ContractCode
}

export function readPoolBytecode(): Hex {
  return (readJson(require.resolve('@uniswap/v3-core/artifacts/contracts/UniswapV3Pool.sol/UniswapV3Pool.json')) as ContractCode)
    .bytecode
}

function readJson(path: string): unknown {
  return JSON.parse(readFileSync(path, 'utf8'))
}

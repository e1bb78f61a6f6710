import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Address, Failure, type Hex, sqrtPriceX96AtTick } from '@chainboard/core'
import type { Devnet } from '@chainboard/devnet'
import { encodeDeployData, encodeFunctionData, parseAbi } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTransactionReader } from '../../chain/readTransactions.ts'
import { createViemChain } from '../../chain/viemChain.ts'
import { startShortDevnet } from '../../testing/startShortDevnet.ts'
import type { PoolSwap } from '../source.ts'
import { readGasPrice } from './callAs.ts'
import { describeHolders, describeSale } from './describeSale.ts'
import { simulateHolders } from './simulateHolders.ts'
import { simulateSale } from './simulateSale.ts'

const trap = JSON.parse(readFileSync(join(import.meta.dirname, '../../../devnet/artifacts/DevTrap.json'), 'utf8'))
const abi = parseAbi([
  'function approve(address spender, uint256 amount)',
  'function createAndInitializePoolIfNecessary(address token0, address token1, uint24 fee, uint160 sqrtPriceX96) returns (address)',
  'struct Mint { address token0; address token1; uint24 fee; int24 tickLower; int24 tickUpper; uint256 amount0Desired; uint256 amount1Desired; uint256 amount0Min; uint256 amount1Min; address recipient; uint256 deadline; }',
  'function mint(Mint params)',
])
const million = 10n ** 24n

let devnet: Devnet
let owner: Address
let token: Address
let pool: Address
beforeAll(async () => {
  devnet = await startShortDevnet()
  owner = devnet.accounts[0]?.address as Address
  token = await deployTrap()
  pool = await openPool(token)
})
afterAll(() => devnet.stop())

async function send(to: Address | undefined, data: Hex): Promise<Address> {
  const hash = await devnet.rpc<Hex>('eth_sendTransaction', [{ from: owner, ...(to ? { to } : {}), data, gas: '0x989680' }])
  for (;;) {
    const receipt = await devnet.rpc<{ status: string; contractAddress: Address } | null>('eth_getTransactionReceipt', [hash])
    if (receipt?.status === '0x0') throw new Error(`${data.slice(0, 10)} reverted`)
    if (receipt) return receipt.contractAddress
  }
}

function deployTrap(): Promise<Address> {
  return send(undefined, encodeDeployData({ abi: trap.abi, bytecode: trap.bytecode, args: ['Trap', 'TRAP', 2n * million] }))
}

/** A pool of the trap and the wrapped native, one to one, with a million of the trap. */
async function openPool(of: Address): Promise<Address> {
  const wrapped = devnet.tokens.find(({ symbol }) => symbol === 'WEMB')?.address as Address
  const manager = devnet.contracts.positionManager
  const [token0, token1] = of.toLowerCase() < wrapped.toLowerCase() ? [of, wrapped] : [wrapped, of]
  const all = 2n ** 256n - 1n
  await send(of, encodeFunctionData({ abi, functionName: 'approve', args: [manager, all] }))
  const data = encodeFunctionData({
    ...{ abi, functionName: 'createAndInitializePoolIfNecessary' },
    args: [token0, token1, 3000, sqrtPriceX96AtTick(of === token0 ? -120_000 : 120_000)],
  })
  const answer = await devnet.rpc<Hex>('eth_call', [{ from: owner, to: manager, data }, 'latest'])
  await send(manager, data)
  const params = {
    ...{ token0, token1, fee: 3000, tickLower: -887_220, tickUpper: 887_220 },
    ...{ amount0Desired: million, amount1Desired: million, amount0Min: 0n, amount1Min: 0n },
    ...{ recipient: owner, deadline: all },
  }
  await send(manager, encodeFunctionData({ abi, functionName: 'mint', args: [params] }))
  return `0x${answer.slice(26)}`
}

const rules = (buyTax: bigint, sellTax: bigint, rule: bigint) =>
  send(token, encodeFunctionData({ abi: trap.abi, functionName: 'setRules', args: [pool, buyTax, sellTax, rule] }))

async function simulate(of: Address, from: Address) {
  const chain = createViemChain([devnet.rpcUrl])
  const gasPriceWei = await readGasPrice(chain)
  return simulateSale(chain, { token: of, pool: from, block: (await chain.readHead()).number, gasPriceWei })
}

async function warn(): Promise<string[]> {
  const sale = await simulate(token, pool)
  if (!sale) return ['untested']
  const texts = describeSale(sale, { symbol: 'TRAP', decimals: 18, pool })
  return texts.map(({ code, text }) => `${code}: ${text.replace(/block \d+ with the pool 0x\w{4}…\w{4}/, 'N')}`)
}

describe('a token taken from its real pool and sold back', () => {
  it('an honest one loses nothing on the way, nor do tokens of the devnet', async () => {
    for (const { address, token0, token1 } of devnet.pools.slice(0, 6))
      for (const each of [token0, token1]) {
        const sale = await simulate(each, address)
        expect(sale).toMatchObject({ kind: 'sold', returned: sale?.taken, received: sale?.taken })
      }
    await rules(0n, 0n, 0n)
    expect(await warn()).toEqual([])
  })

  it.each([
    [500n, 0n, 0n, 'sell-tax: Of 1,000 TRAP bought, 950 arrived (simulated at N)'],
    [0n, 1_000n, 0n, 'sell-tax: Of 1,000 TRAP sold, 900 arrived (simulated at N)'],
    [100n, 9_900n, 0n, 'sell-tax: Of 1,000 TRAP bought, 990 arrived. Of 990 TRAP sold, 9.9 arrived (simulated at N)'],
    [0n, 0n, 1n, 'cannot-sell: 1,000 TRAP were bought and could not be sold back (simulated at N)'],
    [0n, 0n, 2n, 'cannot-sell: 1,000 TRAP could not be bought: the transfer failed (simulated at N)'],
    [0n, 0n, 3n, 'cannot-sell: 1,000 TRAP were bought and could not be sold back (simulated at N)'],
    [0n, 0n, 4n, 'cannot-sell: 1,000 TRAP were bought and could not be sold back (simulated at N)'],
    [0n, 0n, 6n, 'cannot-sell: 1,000 TRAP were bought and could not be sold back (simulated at N)'],
  ])('with a tax of %d on buyers, of %d on sellers and rule %d: %s', async (buyTax, sellTax, rule, text) => {
    await rules(buyTax, sellTax, rule)
    expect(await warn()).toEqual([text])
  })

  it('comes from another address each time, which pays for its gas where the node lets it', async () => {
    const calls: unknown[][] = []
    const { forward, readHead } = createViemChain([devnet.rpcUrl])
    const { number: block } = await readHead()
    const chain = {
      forward: (method: string, params: unknown) => {
        calls.push(params as unknown[])
        return forward(method, params)
      },
    }
    for (let i = 0; i < 2; i += 1) await simulateSale(chain, { token, pool, block, gasPriceWei: 7n * 10n ** 9n })
    const [first, second] = calls as [{ from: Address; gasPrice: Hex }, string, object][]
    expect(first?.[0].gasPrice).toBe('0x1a13b8600')
    expect(first?.[0].from).toMatch(/^0x[0-9a-f]{40}$/)
    expect(first?.[0].from).not.toBe(second?.[0].from)
    expect(calls).toHaveLength(2)
  })

  it.each([
    [0n, 'sold', 10n ** 21n - 1n],
    [7n, 'cannot-sell: It could not be sold by a wallet that bought it before: the transfer of 1,000 TRAP failed', 0n],
    [8n, 'sell-tax: It was taxed when sold by a wallet that bought it before: of 1,000 TRAP, 500 arrived', 500n * 10n ** 18n],
  ])('a holder who does not buy in the same block, with rule %d: %s', async (rule, text, arrived) => {
    await rules(0n, 0n, rule)
    expect(await warn()).toEqual([])
    const chain = createViemChain([devnet.rpcUrl])
    const request = { token, pool, block: (await chain.readHead()).number, gasPriceWei: await readGasPrice(chain) }
    const { transactions } = await devnet.rpc<{ transactions: Hex[] }>('eth_getBlockByNumber', ['latest', false])
    const buyer = owner.toLowerCase()
    const swap = { amount0: -1n, amount1: 1n, recipient: buyer, txHash: transactions[0] } as PoolSwap
    const readTransactions = createTransactionReader(chain)
    const sales = await simulateHolders({ chain, readTransactions }, { ...request, baseIsToken0: true, swaps: [swap] })
    expect(sales).toMatchObject([{ holder: buyer, amount: 10n ** 21n - 1n, arrived }])
    const texts = describeHolders(sales, { symbol: 'TRAP', decimals: 18, pool })
    expect(texts.map(({ code, text }) => `${code}: ${text.replace(/ \(.*/, '')}`)).toEqual(rule === 0n ? [] : [text])
  })

  it('a token that only people may hold is not called a trap', async () => {
    await rules(0n, 0n, 5n)
    expect(await warn()).toEqual([])
  })

  it('a rounding of a thousandth is not called a tax', async () => {
    await rules(10n, 10n, 0n)
    expect(await warn()).toEqual([])
  })

  it('nothing is said where there is no pool, no such token in it, or nothing of it', async () => {
    const [first] = devnet.pools as [Devnet['pools'][number]]
    expect(await simulate(token, first.address)).toBeUndefined()
    expect(await simulate(first.token0, owner)).toBeUndefined()
    expect(await simulate(owner, pool)).toBeUndefined()
  })
})

it('a node that gives nobody a balance is asked without a price', async () => {
  const asked: unknown[] = []
  const forward = async (_: string, params: unknown) => {
    asked.push(params)
    const [{ gasPrice }] = params as [{ gasPrice?: string }]
    if (gasPrice) throw new Failure('rpc-refused', 'insufficient funds for gas * price + value', {})
    throw new Failure('rpc-refused', 'execution reverted', {})
  }
  const [a, b] = ['0x1111111111111111111111111111111111111111', '0x2222222222222222222222222222222222222222'] as const
  expect(await simulateSale({ forward }, { token: a, pool: b, block: 7, gasPriceWei: 1n })).toBeUndefined()
  expect(asked).toMatchObject([
    [{ gasPrice: '0x1', gas: '0x989680' }, '0x7', {}],
    [{ gas: '0x989680' }, '0x7'],
  ])
})

it('a node that does not create contracts in calls says nothing of the token', async () => {
  const chain = (answer: unknown) => ({
    forward: async () => {
      if (answer instanceof Failure) throw answer
      return answer
    },
  })
  const [a, b] = ['0x1111111111111111111111111111111111111111', '0x2222222222222222222222222222222222222222'] as const
  for (const answer of ['0x', null, '0x1234', new Failure('rpc-refused', 'The field to is missing', {})])
    await expect(simulateSale(chain(answer), { token: a, pool: b, block: 7 })).rejects.toThrow(Failure)
  expect(
    await simulateSale(chain(new Failure('rpc-refused', 'execution reverted', {})), { token: a, pool: b, block: 7 }),
  ).toBeUndefined()
})

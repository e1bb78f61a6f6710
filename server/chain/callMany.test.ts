import { type Address, Failure, type Hex } from '@chainboard/core'
import type { Devnet } from '@chainboard/devnet'
import { encodeFunctionData, erc20Abi } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startShortDevnet } from '../testing/startShortDevnet.ts'
import { callMany, type ViewAnswer } from './callMany.ts'
import type { Chain } from './chain.ts'
import { createViemChain } from './viemChain.ts'

let devnet: Devnet
let block: number
beforeAll(async () => {
  devnet = await startShortDevnet()
  for (const [address, code] of Object.entries(contracts)) await devnet.rpc('anvil_setCode', [address, code])
  await devnet.mine()
  block = Number(await devnet.rpc('eth_blockNumber'))
})
afterAll(() => devnet.stop())

const at = (byte: string): Address => `0x${byte.repeat(20)}`
const [reverting, silent, long, invalid, greedy, seven] = [at('d1'), at('d2'), at('d3'), at('d4'), at('d5'), at('d6')]
const nobody = at('dd')
/** Runtime code: reverts; stops; returned 33 bytes; an invalid instruction; a loop without an end; answers 7. */
const contracts: Readonly<Record<Address, Hex>> = {
  [reverting]: '0x60006000fd',
  [silent]: '0x00',
  [long]: '0x60216000f3',
  [invalid]: '0xfe',
  [greedy]: '0x5b600056',
  [seven]: '0x600760005260206000f3',
}
const word7 = `0x${'7'.padStart(64, '0')}`

type Counted = { readonly chain: Pick<Chain, 'forward'>; readonly targets: Address[] }

/** The real node, and whom it was asked to call. A call may burn 30 million gas at most, as nodes have it. */
function open(): Counted {
  const chain = createViemChain([devnet.rpcUrl])
  const targets: Address[] = []
  const forward = (method: string, params: unknown) => {
    const [call, tag] = params as [{ to: Address }, string]
    targets.push(call.to)
    return chain.forward(method, [{ ...call, gas: '0x1c9c380' }, tag])
  }
  return { chain: { forward }, targets }
}

const multicall = () => devnet.contracts.multicall3
const callsTo = (targets: readonly Address[]) => targets.map((to) => ({ to, data: '0x' as Hex }))
const ask = ({ chain }: Counted, targets: readonly Address[]): Promise<ViewAnswer[]> =>
  callMany(chain, callsTo(targets), { multicall: multicall(), block })

describe('many calls', () => {
  it('travel in one, and are answered in their order', async () => {
    const opened = open()
    expect(await ask(opened, [seven, silent, long, nobody, seven])).toEqual([word7, '0x', `0x${'00'.repeat(33)}`, '0x', word7])
    expect(opened.targets).toEqual([multicall()])
  })

  it('of more than 512 travel in several', async () => {
    const opened = open()
    const many = Array.from({ length: 1_025 }, (_, i) => (i % 512 === 0 ? silent : seven))
    const answers = await ask(opened, many)
    expect(answers.flatMap((answer, i) => (answer === '0x' ? [i] : []))).toEqual([0, 512, 1_024])
    expect(answers.filter((answer) => answer === word7)).toHaveLength(1_022)
    expect(opened.targets).toEqual([multicall(), multicall(), multicall()])
  })

  it('continue beside those that fail, which are asked once more alone', async () => {
    const opened = open()
    expect(await ask(opened, [seven, reverting, invalid, seven])).toEqual([word7, undefined, undefined, word7])
    expect(opened.targets).toEqual([multicall(), reverting, invalid])
  })

  it('are all answered beside one that burns the gas of those behind it', async () => {
    const many = [seven, greedy, ...Array.from({ length: 300 }, () => seven)]
    const answers = await ask(open(), many)
    expect(answers[1]).toBeUndefined()
    expect(answers.filter((answer) => answer === word7)).toHaveLength(301)
  })

  it.each([
    ['no contract', nobody],
    ['a contract of another kind', seven],
    ['a contract that reverts', reverting],
  ])('are asked one by one where %s stands in the place of the multicall', async (_, address) => {
    const opened = open()
    const many = [reverting, ...Array.from({ length: 120 }, () => seven)]
    const answers = await callMany(opened.chain, callsTo(many), { multicall: address, block })
    expect(answers).toEqual([undefined, ...Array.from({ length: 120 }, () => word7)])
    expect(opened.targets).toHaveLength(1 + 121)
  })

  it('have no answer that is not hexadecimal, together or alone', async () => {
    const { chain } = open()
    const garbling: Counted['chain'] = {
      forward: async (method, params) => String(await chain.forward(method, params)).replace(/7$/, 'z'),
    }
    for (const address of [multicall(), nobody])
      expect(await callMany(garbling, callsTo([seven]), { multicall: address, block })).toEqual(['0x'])
  })

  it('are answered as of the block that is named', async () => {
    const usdc = devnet.tokens.find(({ symbol }) => symbol === 'USDC')?.address as Address
    const [from, to] = devnet.accounts.map(({ address }) => address) as [Address, Address]
    const args = [to] as const
    const calls = [{ to: usdc, data: encodeFunctionData({ abi: erc20Abi, functionName: 'balanceOf', args }) }]
    const { chain } = open()
    const before = await callMany(chain, calls, { multicall: multicall(), block })
    const data = encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [to, 5n] })
    await devnet.rpc('eth_sendTransactionSync', [{ from, to: usdc, data }])
    expect(await callMany(chain, calls, { multicall: multicall(), block })).toEqual(before)
    const head = Number(await devnet.rpc('eth_blockNumber'))
    expect(BigInt((await callMany(chain, calls, { multicall: multicall(), block: head }))[0] as Hex)).toBe(
      BigInt(before[0] as Hex) + 5n,
    )
  })

  it('end in a failure for a block that the node does not have, and when it does not answer', async () => {
    await expect(callMany(open().chain, callsTo([seven]), { multicall: multicall(), block: block + 9_999 })).rejects.toThrow(
      Failure,
    )
    const nobodyListens = createViemChain(['http://127.0.0.1:1'])
    await expect(callMany(nobodyListens, callsTo([seven]), { multicall: multicall(), block })).rejects.toMatchObject({
      code: 'rpc-unavailable',
    })
  })
})

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Address, Hex } from '@chainboard/core'
import type { Devnet } from '@chainboard/devnet'
import { type Abi, encodeDeployData, encodeFunctionData } from 'viem'

const path = join(import.meta.dirname, '../../devnet/artifacts/DevFeed.json')
const code = JSON.parse(readFileSync(path, 'utf8')) as { readonly abi: Abi; readonly bytecode: Hex }

/** What a feed of the tests does when it is asked. */
const modes = { answers: 0n, reverts: 1n, burnsAllGas: 2n, answersOneWord: 3n, answersTooMuch: 4n } as const

export type DevFeed = {
  readonly address: Address
  put(answer: bigint, updatedAtSeconds: number): Promise<void>
  behave(mode: keyof typeof modes): Promise<void>
}

/** Deploys an aggregator on the devnet, which has no answer yet. */
export async function deployFeed(devnet: Devnet, decimals: number, description = 'TEST / USD'): Promise<DevFeed> {
  const from = devnet.accounts[0]?.address
  const send = async (call: { readonly to?: Address; readonly data: Hex }): Promise<Address> => {
    const hash = await devnet.rpc<Hex>('eth_sendTransaction', [{ from, ...call, gas: '0x989680' }])
    for (;;) {
      const receipt = await devnet.rpc<{ status: string; contractAddress: Address } | null>('eth_getTransactionReceipt', [hash])
      if (receipt?.status === '0x0') throw new Error('A transaction of a feed reverted')
      if (receipt) return receipt.contractAddress
    }
  }
  const { abi, bytecode } = code
  const address = await send({ data: encodeDeployData({ abi, bytecode, args: [decimals, description] }) })
  const call = async (functionName: string, args: readonly bigint[]) => {
    await send({ to: address, data: encodeFunctionData({ abi, functionName, args }) })
  }
  return {
    address,
    put: (answer, updatedAtSeconds) => call('put', [answer, BigInt(updatedAtSeconds)]),
    behave: (mode) => call('setMode', [modes[mode]]),
  }
}

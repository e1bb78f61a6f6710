import type { Address, Hex } from '@chainboard/core'
import type { Devnet } from '@chainboard/devnet'
import { parseGwei } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startShortDevnet } from '../testing/startShortDevnet.ts'
import { proveSender } from './proveSender.ts'
import { createTransactionReader } from './readTransactions.ts'

/** The first transfer of ether on Ethereum, and a swap of 2024, by any node. */
const first = {
  blockHash: '0x4e3a3754410177e6937ef1f84bba68ea139e8d1a2258c5f85db9f1cd715a1bdd',
  blockNumber: '0xb443',
  from: '0xa1e4380a3b1f749673e270229993ee55f35663b4',
  gas: '0x5208',
  gasPrice: '0x2d79883d2000',
  hash: '0x5c504ed432cb51138bcf09aa5e8a410dd4a1e204ef84bfed1be16dfba1b22060',
  input: '0x',
  nonce: '0x0',
  to: '0x5df9b87991262f6ba471f09758cde1c0fc1de734',
  transactionIndex: '0x0',
  value: '0x7a69',
  type: '0x0',
  v: '0x1c',
  r: '0x88ff6cf0fefd94db46111149ae4bfc179e9b94721fffd821d38d16464b3f71d0',
  s: '0x45e0aff800961cfce805daef7016b9b675c137a6a41a548f7b60a3484c06a33a',
}

const stranger = `0x${'ab'.repeat(20)}`

let devnet: Devnet
beforeAll(async () => {
  devnet = await startShortDevnet()
})
afterAll(() => devnet.stop())

const account = privateKeyToAccount(`0x${'7e'.repeat(32)}`)
const owner = account.address.toLowerCase() as Address

/** A transaction of the account's on the real node, as that gives it. */
async function send(fields: object): Promise<{ hash: Hex; from: Address }> {
  await devnet.rpc('anvil_setBalance', [owner, '0x8ac7230489e80000'])
  const nonce = Number(await devnet.rpc<Hex>('eth_getTransactionCount', [owner, 'latest']))
  const raw = await account.signTransaction({ to: owner, nonce, gas: 60_000n, value: 1n, data: '0x1234', ...fields } as never)
  const hash = await devnet.rpc<Hex>('eth_sendRawTransaction', [raw])
  await devnet.mine()
  return devnet.rpc('eth_getTransactionByHash', [hash])
}

const gasPrice = parseGwei('50')
const access = [{ address: owner, storageKeys: [`0x${'01'.repeat(32)}`] }]
describe.each([
  ['without a chain, of 2015', async () => first],
  ['of a chain', () => send({ type: 'legacy', chainId: 31_337, gasPrice })],
  ['with an access list', () => send({ type: 'eip2930', chainId: 31_337, gasPrice, accessList: access })],
  ['with fees', () => send({ type: 'eip1559', chainId: 31_337, maxFeePerGas: gasPrice, maxPriorityFeePerGas: 1n })],
])('a transaction %s', (_name, make) => {
  it('proves its sender, whatever the node says', async () => {
    const transaction = await make()
    expect(await proveSender({ ...transaction, from: stranger })).toMatchObject({ kind: 'signed', by: transaction.from })
  })

  it('proves nothing when a field of it is wrong', async () => {
    expect(await proveSender({ ...(await make()), value: '0x77' })).toMatchObject({ kind: 'unfit' })
  })
})

it.each([
  ['of a type that only its chain knows', { type: '0x7e' }],
  ['that nobody has signed', { r: '0x1', s: '0x1' }],
  ['without a signature', { r: undefined }],
])('one %s proves nothing', async (_name, fields) => expect(await proveSender({ ...first, ...fields })).toEqual({ kind: 'none' }))

describe('senders of transactions', () => {
  /** A node whose answers change from turn to turn; a refused one counts as its failure. */
  const open = (...answers: object[]) => {
    const node = { refused: 0 }
    const read = createTransactionReader({
      forward: async (_method, _params, check) => {
        const answer = answers.length > 1 ? answers.shift() : answers[0]
        await Promise.resolve(check?.(answer)).catch((error: unknown) => {
          node.refused += 1
          throw error
        })
        return answer
      },
    })
    return { node, read: async () => (await read([first.hash as Hex]))[0] }
  }
  const altered = { ...first, value: '0x77', from: stranger }

  it('are those who signed', async () =>
    expect(await open(first).read()).toEqual({ origin: first.from, gasPriceWei: 50_000_000_000_000n }))

  it('are refused where a node says that somebody else has', async () => {
    const { node, read } = open({ ...first, from: stranger })
    await expect(read()).rejects.toMatchObject({ code: 'rpc-invalid' })
    expect(node.refused).toBe(1)
  })

  it('are refused where fields were changed so that the signature is no proof, once such a transaction has proven itself', async () => {
    const { read } = open(first, altered)
    await read()
    await expect(read()).rejects.toThrow('do not match its hash')
  })

  it('are believed if no transaction of that type ever made its hash', async () => {
    expect(await open(altered).read()).toMatchObject({ origin: stranger })
  })

  it('are believed after forty such answers in a row', async () => {
    const { node, read } = open(first, altered)
    await read()
    for (let i = 0; i < 40; i += 1) await expect(read()).rejects.toThrow('do not match its hash')
    expect(await read()).toMatchObject({ origin: stranger })
    expect(node.refused).toBe(40)
  })
})

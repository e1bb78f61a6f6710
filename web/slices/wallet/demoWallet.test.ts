import { parseTransaction, recoverTransactionAddress } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { describe, expect, it } from 'vitest'
import { createDemoProvider } from './demoWallet.ts'

/** The first of the keys that every local test chain knows. */
const account = privateKeyToAccount('0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80')
const address = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'

/** A node that answers from a table and keeps what it is sent. */
function openWallet() {
  const sent: string[] = []
  const answers: Record<string, unknown> = {
    eth_getTransactionCount: '0x5',
    eth_estimateGas: '0x186a0',
    eth_maxPriorityFeePerGas: '0x3b9aca00',
    eth_getBlockByNumber: { baseFeePerGas: '0x77359400' },
    eth_blockNumber: '0x10',
  }
  const provider = createDemoProvider(account, 31_337, async (method, params) => {
    if (method !== 'eth_sendRawTransaction') return answers[method]
    sent.push(String(params[0]))
    answers['eth_getTransactionCount'] = `0x${(5 + sent.length).toString(16)}`
    return `0x${'ab'.repeat(32)}`
  })
  return { request: provider.request.bind(provider), sent }
}

describe('the demo wallet', () => {
  it('grants its one account and names its one chain without asking', async () => {
    const { request } = openWallet()
    expect(await request({ method: 'eth_requestAccounts' })).toEqual([address])
    expect(await request({ method: 'eth_accounts' })).toEqual([address])
    expect(await request({ method: 'eth_chainId' })).toBe('0x7a69')
    expect(await request({ method: 'wallet_switchEthereumChain', params: [{ chainId: '0x7a69' }] })).toBeNull()
    await expect(request({ method: 'wallet_switchEthereumChain', params: [{ chainId: '0x1' }] })).rejects.toMatchObject({
      code: 4902,
    })
  })

  it('hands every other question to the node', async () => {
    expect(await openWallet().request({ method: 'eth_blockNumber' })).toBe('0x10')
  })

  it('signs a personal message as every wallet does', async () => {
    // Signature of this account over this text, from viem's documentation.
    const signature =
      '0xa461f509887bd19e312c0c58467ce8ff8e300d3c1a90b608a760c5b80318eaf15fe57c96f9175d6cd4daad4663763baa7e78836e067d0163e9a2ccf2ff753f5b1b'
    const { request } = openWallet()
    expect(await request({ method: 'personal_sign', params: ['hello world', address] })).toBe(signature)
    const hex = '0x68656c6c6f20776f726c64'
    expect(await request({ method: 'personal_sign', params: [hex, address.toLowerCase()] })).toBe(signature)
  })

  it('signs for nobody else', async () => {
    const other = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
    const { request, sent } = openWallet()
    await expect(request({ method: 'personal_sign', params: ['hello', other] })).rejects.toMatchObject({ code: 4100 })
    await expect(request({ method: 'eth_sendTransaction', params: [{ from: other, to: address }] })).rejects.toMatchObject({
      code: 4100,
    })
    expect(sent).toEqual([])
  })

  it('fills in what a transaction lacks and signs it', async () => {
    const { request, sent } = openWallet()
    const to = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
    const hash = await request({ method: 'eth_sendTransaction', params: [{ from: address, to, value: '0x2a', data: '0x1234' }] })
    expect(hash).toBe(`0x${'ab'.repeat(32)}`)
    const raw = sent[0] as `0x02${string}`
    expect(await recoverTransactionAddress({ serializedTransaction: raw })).toBe(address)
    expect(parseTransaction(raw)).toMatchObject({
      chainId: 31_337,
      nonce: 5,
      gas: 125_000n,
      maxPriorityFeePerGas: 1_000_000_000n,
      maxFeePerGas: 5_000_000_000n,
      to: to.toLowerCase(),
      value: 42n,
      data: '0x1234',
    })
  })

  it('numbers transactions that are sent at once one after the other', async () => {
    const { request, sent } = openWallet()
    const send = () => request({ method: 'eth_sendTransaction', params: [{ to: address, gas: '0x5208' }] })
    await Promise.all([send(), send(), send()])
    expect(sent.map((raw) => parseTransaction(raw as `0x02${string}`).nonce)).toEqual([5, 6, 7])
  })
})

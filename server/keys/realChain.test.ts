import { type Address, type Hex, parseAddress } from '@chainboard/core'
import type { Devnet } from '@chainboard/devnet'
import { concatHex, encodeFunctionData, erc20Abi, getAddress, getCreate2Address, pad, serializeErc6492Signature } from 'viem'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { createViemChain } from '../chain/viemChain.ts'
import { readConfig } from '../config.ts'
import { signProof, stranger, writeMessage } from '../testing/signProof.ts'
import { startShortDevnet } from '../testing/startShortDevnet.ts'
import { createSignatureCheck } from './checkSignature.ts'
import { judgeMessage, type Proof } from './judgeMessage.ts'
import { readPayment } from './readPayment.ts'

/** On a machine with much else to do. */
const patience = { timeout: 15_000 }

// As devnet/README.md has them.
const demo = getAddress('0x70997970c51812dc3a010c7d01b50e0d17dc79c8')
const shop = getAddress('0x3c44cdddb6a900fa2b585dd299e03d12fa4293bc')

/** Contracts by their code: one that says yes to every signature (EIP-1271), one that says no, one that reverts, one
 * that never ends. */
const contracts = {
  yes: ['0x00000000000000000000000000000000000000A1', '0x631626ba7e60e01b60005260206000f3'],
  no: ['0x00000000000000000000000000000000000000A2', '0x63ffffffff60e01b60005260206000f3'],
  reverts: ['0x00000000000000000000000000000000000000A3', '0x60006000fd'],
  loops: ['0x00000000000000000000000000000000000000A4', '0x5b600056'],
  // Gives back what it is called with, which begins with the magic value.
  echoes: ['0x00000000000000000000000000000000000000A5', '0x365f5f37365ff3'],
  // Answers with 600,000 bytes, as many as its gas pays for.
  huge: ['0x00000000000000000000000000000000000000A7', '0x620927c05ff3'],
  // Says yes once it was called with nothing.
  switches: ['0x00000000000000000000000000000000000000A6', '0x36600a576001600055005b631626ba7e6000540260e01b60005260206000f3'],
} as const

/** Code that creates a wallet with this code of 16 bytes. */
const creationOf = (code: Hex) => concatHex(['0x6f', code, '0x60005260106010f3'])
/** Factories by their code: called with anything, each creates its wallet by CREATE2 with the salt 0; one creates nothing. */
const factoryOf = (code: Hex) => concatHex(['0x78', creationOf(code), '0x6000526000601960076000f500'])
const factories = {
  yes: ['0x00000000000000000000000000000000000000b1', factoryOf(contracts.yes[1])],
  no: ['0x00000000000000000000000000000000000000b2', factoryOf(contracts.no[1])],
  idle: ['0x00000000000000000000000000000000000000b3', '0x00'],
  loops: ['0x00000000000000000000000000000000000000b4', '0x5b600056'],
} as const

const { network } = readConfig({ NETWORK: 'devnet' })
const usdc = { address: parseAddress(network.usdc.address) as Address, decimals: 6 }
let devnet: Devnet
beforeAll(async () => {
  devnet = await startShortDevnet()
  for (const [address, code] of [...Object.values(contracts), ...Object.values(factories)])
    await devnet.rpc('anvil_setCode', [address, code])
})
afterAll(() => devnet.stop())

const [anyone, operator] = [{ mayBeUndeployed: true }, { mayBeUndeployed: false }]

describe('on a real node', () => {
  const send = async (to: Address, data: Hex) => {
    const { transactionHash } = await devnet.rpc<{ transactionHash: Hex }>('eth_sendTransactionSync', [
      { from: demo, to, data, gas: '0x30000' },
    ])
    return transactionHash
  }
  const pay = (amount: bigint) => encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [shop, amount] })

  it('a payment is read from its transaction: how much, from whom, to whom', async () => {
    const chain = createViemChain([devnet.rpcUrl])
    const paid = await send(usdc.address, pay(15_500_000n))
    expect(await readPayment(chain, usdc, paid)).toEqual({
      status: 'found',
      transfers: [{ amount: '15.5', payer: demo, recipient: shop }],
    })
    const otherToken = devnet.tokens.find(({ symbol }) => symbol === 'BSLT')?.address.toLowerCase() as Address
    expect(await readPayment(chain, usdc, await send(otherToken, pay(1n)))).toEqual({ status: 'found', transfers: [] })
    expect(await readPayment(chain, usdc, await send(usdc.address, pay(10n ** 30n)))).toEqual({ status: 'failed', transfers: [] })
    expect(await readPayment(chain, usdc, `0x${'ab'.repeat(32)}`)).toEqual({ status: 'missing', transfers: [] })
    const gone = createViemChain(['http://127.0.0.1:9'])
    expect(await readPayment(gone, usdc, paid)).toEqual({ status: 'unknown', transfers: [] })
  })

  it('a contract wallet stands for a signature or does not; a plain wallet needs no node', async () => {
    const site = { siteName: 'Testboard', domain: 'board.example' }
    const claimOf = (proof: Proof) => judgeMessage(proof, 'Free API Key', site, Date.now())
    const ofContract = (name: keyof typeof contracts) => {
      const walletAddress = getAddress(contracts[name][0])
      return claimOf({ walletAddress, signature: '0x1234', message: writeMessage(walletAddress) })
    }
    const check = createSignatureCheck(createViemChain([devnet.rpcUrl]))
    const refusal = { code: 'signature-invalid', message: 'The signature does not match this wallet and message' }
    await check(ofContract('yes'), anyone)
    await expect(check(ofContract('no'), anyone)).rejects.toMatchObject(refusal)
    await expect(check(ofContract('reverts'), anyone)).rejects.toMatchObject(refusal)
    await expect(check(ofContract('loops'), anyone)).rejects.toMatchObject(refusal)
    await expect(check(ofContract('echoes'), anyone)).rejects.toMatchObject(refusal)
    await expect(check(ofContract('huge'), anyone)).rejects.toMatchObject(refusal)
    const forged = { ...(await signProof(stranger, { wallet: demo })), walletAddress: demo }
    await expect(check(claimOf(forged), anyone)).rejects.toMatchObject(refusal)

    const alone = createSignatureCheck(createViemChain(['http://127.0.0.1:9']))
    await alone(claimOf(await signProof(stranger)), anyone)
    await expect(alone(ofContract('yes'), anyone)).rejects.toMatchObject({ code: 'rpc-unavailable', retryable: true })
  })

  it('a wallet that is not deployed stands for a signature or does not, and is not deployed afterwards', async () => {
    const site = { siteName: 'Testboard', domain: 'board.example' }
    const chain = createViemChain([devnet.rpcUrl])
    const check = createSignatureCheck(chain)
    const walletOf = (name: 'yes' | 'no') =>
      getCreate2Address({ from: factories[name][0], salt: pad('0x0'), bytecode: creationOf(contracts[name][1]) })
    const claimOf = (walletAddress: Address, factory: keyof typeof factories) => {
      const signature = serializeErc6492Signature({ address: factories[factory][0], data: '0x01', signature: '0x1234' })
      const proof = { walletAddress, signature, message: writeMessage(walletAddress) }
      return judgeMessage(proof, 'Free API Key', site, Date.now())
    }
    const refusal = { code: 'signature-invalid', message: 'The signature does not match this wallet and message' }
    await check(claimOf(walletOf('yes'), 'yes'), anyone)
    expect(await chain.forward('eth_getCode', [walletOf('yes'), 'latest'])).toBe('0x')
    await expect(check(claimOf(walletOf('no'), 'no'), anyone)).rejects.toMatchObject(refusal)
    // A factory that makes another wallet than the one that is said to have signed, none, or never ends.
    await expect(check(claimOf(demo, 'yes'), anyone)).rejects.toMatchObject(refusal)
    await expect(check(claimOf(walletOf('yes'), 'idle'), anyone)).rejects.toMatchObject(refusal)
    await expect(check(claimOf(walletOf('yes'), 'loops'), anyone)).rejects.toMatchObject(refusal)
    // An operator's wallet has to be there: at another address of the same digits anybody might deploy.
    await expect(check(claimOf(walletOf('yes'), 'yes'), operator)).rejects.toMatchObject(refusal)
    // Named as such a signature by its last 32 bytes, with nothing of one before them.
    const signature = `0xabcd${'6492'.repeat(16)}` as const
    await expect(check({ ...claimOf(walletOf('yes'), 'yes'), signature }, anyone)).rejects.toMatchObject(refusal)
  })

  it('a wallet that is deployed is asked as it is: nothing that its signature names is called before', async () => {
    const site = { siteName: 'Testboard', domain: 'board.example' }
    const check = createSignatureCheck(createViemChain([devnet.rpcUrl]))
    const claimOf = (name: 'yes' | 'switches') => {
      const walletAddress = getAddress(contracts[name][0])
      const first = { address: contracts.switches[0].toLowerCase() as Address, data: '0x' } as const
      const signature = serializeErc6492Signature({ ...first, signature: '0x1234' })
      return judgeMessage({ walletAddress, signature, message: writeMessage(walletAddress) }, 'Free API Key', site, Date.now())
    }
    await check(claimOf('yes'), operator)
    await expect(check(claimOf('switches'), anyone)).rejects.toMatchObject({ code: 'signature-invalid' })
  })

  it('a node that keeps silent about a contract wallet is waited for no longer than 6 seconds', async () => {
    vi.useFakeTimers()
    try {
      const asked: unknown[] = []
      const forward = (_method: string, params: unknown) => {
        asked.push(params)
        return new Promise(() => undefined)
      }
      const wallet = contracts.yes[0] as Address
      const claim = { wallet, message: 'x', signature: '0x1234' as Hex, digest: '', expiresAtSeconds: 0 }
      const told = expect(createSignatureCheck({ forward })(claim, anyone)).rejects.toMatchObject({
        code: 'rpc-unavailable',
        detail: { retryAfterSeconds: 5 },
      })
      await vi.waitUntil(() => asked.length > 0, patience)
      await vi.advanceTimersByTimeAsync(6_000)
      await told
      expect(asked).toEqual([[expect.objectContaining({ gas: '0xf4240' }), 'latest']])
    } finally {
      vi.useRealTimers()
    }
  })
})

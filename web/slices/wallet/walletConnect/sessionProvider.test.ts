import { describe, expect, it } from 'vitest'
import { readKnownRefusal } from '../readAnswer.ts'
import type { Approved } from './readSession.ts'
import { createSessionProvider } from './sessionProvider.ts'

const alice = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const bob = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'
const own = 31_337
const usual = ['personal_sign', 'eth_sendTransaction', 'wallet_switchEthereumChain']

function approve(accounts: readonly (readonly [number, string])[], methods: readonly string[] = usual): Approved {
  return { accounts: accounts.map(([chainId, address]) => ({ chainId, address })), methods: new Set(methods) }
}

/** A wallet whose owner approves `first` when it is paired. */
function makeProvider(first: Approved, answer: (method: string) => unknown = () => '0x01') {
  const asked: [number, string][] = []
  const told: [string, unknown][] = []
  const world: { approved: Approved | undefined; onAsked?: () => void } = { approved: undefined }
  const { provider, hear } = createSessionProvider({
    session: {
      read: () => world.approved,
      async ask(chainId, { method }) {
        asked.push([chainId, method])
        world.onAsked?.()
        return answer(method)
      },
      async pair() {
        world.approved = first
      },
      async end() {
        world.approved = undefined
      },
      awaitChange: async () => undefined,
    },
    callNode: async (method) => `node: ${method}`,
    ownChainId: own,
    emit: (event, value) => told.push([event, value]),
  })
  const request = (method: string, params: readonly unknown[] = []) => provider.request({ method, params })
  return { request, hear, asked, told, world }
}

describe('where a wallet on another device is', () => {
  it('is on our chain if it approved that, whatever it named first', async () => {
    const { request } = makeProvider(
      approve([
        [1, alice],
        [own, bob],
      ]),
    )
    expect(await request('eth_accounts')).toEqual([])
    expect(await request('eth_requestAccounts')).toEqual([bob])
    expect(await request('eth_chainId')).toBe('0x7a69')
  })

  it('is on another chain if it approved only that, and has no account if it approved none', async () => {
    const elsewhere = makeProvider(approve([[1, alice]]))
    expect(await elsewhere.request('eth_requestAccounts')).toEqual([alice])
    expect(await elsewhere.request('eth_chainId')).toBe('0x1')
    const nowhere = makeProvider(approve([]))
    expect(await nowhere.request('eth_requestAccounts')).toEqual([])
    expect(await nowhere.request('eth_chainId')).toBe('0x0')
  })

  it('changes to an account or a chain that it approved, and to no other', async () => {
    const { request, hear, told } = makeProvider(
      approve([
        [own, alice],
        [own, bob],
        [1, alice],
      ]),
    )
    await request('eth_requestAccounts')
    told.length = 0
    const event = (name: string, data: unknown) => hear({ kind: 'event', name, data })
    event('accountsChanged', [`eip155:${own}:${bob}`])
    event('chainChanged', 1)
    event('chainChanged', '0x38')
    event('chainChanged', { toString: () => '1' })
    event('accountsChanged', ['0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC'])
    event('message', 'hello')
    // Bob has no account on chain 1.
    expect(told).toEqual([
      ['accountsChanged', [bob]],
      ['accountsChanged', [alice]],
      ['chainChanged', '0x1'],
    ])
  })

  it('follows what it approves later, and is gone with its session', async () => {
    const { hear, told, world, request } = makeProvider(approve([[own, alice]]))
    await request('eth_requestAccounts')
    told.length = 0
    world.approved = approve([[own, bob]])
    hear({ kind: 'changed' })
    world.approved = undefined
    hear({ kind: 'changed' })
    hear({ kind: 'event', name: 'accountsChanged', data: [alice] })
    expect(told).toEqual([
      ['accountsChanged', [bob]],
      ['accountsChanged', []],
    ])
  })
})

describe('what a wallet on another device is asked', () => {
  it('signs and sends what it approved; a transaction goes to the chain that it names; the node is read for the rest', async () => {
    const { request, asked } = makeProvider(
      approve([
        [own, alice],
        [1, alice],
      ]),
    )
    await request('eth_requestAccounts')
    await request('personal_sign', ['0x68', alice])
    await request('eth_sendTransaction', [{ chainId: '0x1' }])
    expect(asked).toEqual([
      [own, 'personal_sign'],
      [1, 'eth_sendTransaction'],
    ])
    expect(await request('eth_getBalance', [alice, 'latest'])).toBe('node: eth_getBalance')
    await expect(request('wallet_getCapabilities', [alice])).rejects.toMatchObject({ code: 4200 })
    expect(asked).toHaveLength(2)
  })

  it.each([5000, 5001, 5002, 5003])('its refusal %i is the one that every wallet has', async (code) => {
    const { request } = makeProvider(approve([[own, alice]]), () => {
      throw Object.assign(new Error('User rejected.'), { code })
    })
    await request('eth_requestAccounts')
    await expect(request('personal_sign', ['0x68', alice])).rejects.toMatchObject({ code: 4001 })
  })

  it('is not asked to come to a chain that it approved, and comes to another one only when it approves it', async () => {
    const { request, asked, world, told } = makeProvider(approve([[1, alice]]))
    const come = () => request('wallet_switchEthereumChain', [{ chainId: '0x7a69' }])
    await request('eth_requestAccounts')
    told.length = 0
    await come()
    expect([asked, told]).toEqual([[[1, 'wallet_switchEthereumChain']], []])
    world.onAsked = () => {
      world.approved = approve([
        [1, alice],
        [own, alice],
      ])
    }
    await come()
    expect(told).toEqual([['chainChanged', '0x7a69']])
    await request('wallet_switchEthereumChain', [{ chainId: '0x1' }])
    expect(asked).toHaveLength(2)
    expect(await request('eth_chainId')).toBe('0x1')
  })
})

describe('a payment that the wallet does not answer', () => {
  const payments = ['eth_sendTransaction', 'wallet_sendCalls']
  const paying = async (error: Error, method: string) => {
    const { request } = makeProvider(approve([[own, alice]], [...usual, 'wallet_sendCalls']), () => {
      throw error
    })
    await request('eth_requestAccounts')
    return request(method, [{ chainId: '0x7a69' }]).catch((thrown: unknown) => thrown)
  }

  it.each(payments)('may have been made: %s', async (method) => {
    const lost = await paying(new TypeError('Failed to publish payload, please try again.'), method)
    expect(readKnownRefusal(lost)).toBe('Your wallet has not reported the result. Check your wallet before you try again.')
  })

  it.each(payments)('is what the wallet says, if it says something: %s', async (method) => {
    const said = Object.assign(new TypeError('User rejected'), { code: 5000 })
    expect(readKnownRefusal(await paying(said, method))).toBe('You declined the request in your wallet')
  })

  it('costs nothing where it is a signature', async () => {
    const lost = new TypeError('Request expired. Please try again.')
    expect(await paying(lost, 'personal_sign')).toBe(lost)
  })
})

import { describe, expect, it } from 'vitest'
import { isReloadHeld } from '../../lib/busy.ts'
import { sendCall } from './sendCall.ts'

const hash = `0x${'ab'.repeat(32)}`
const sender = { address: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8', chainId: 31_337 }
const call = { to: `0x${'11'.repeat(20)}`, data: '0x1234' } as const

const send = (answer: () => unknown) => sendCall({ request: async () => answer() }, sender, call)
const fail = (error: unknown) =>
  send(() => {
    throw error
  })

describe('a call that a wallet sends', () => {
  it('names its sender and its chain, and leaves gas and fees to the wallet', async () => {
    const asked: unknown[] = []
    const request = async (what: unknown) => {
      asked.push(what, isReloadHeld())
      return hash
    }
    expect(await sendCall({ request }, sender, call)).toEqual({ hash })
    expect(asked).toEqual([
      { method: 'eth_sendTransaction', params: [{ from: sender.address, chainId: '0x7a69', to: call.to, data: '0x1234' }] },
      true,
    ])
    expect(isReloadHeld()).toBe(false)
  })

  it('comes back with what is known of a refusal', async () => {
    expect(await fail({ code: 4001, message: 'User rejected' })).toEqual({
      text: 'You declined the request in your wallet',
      walletWords: 'User rejected',
    })
    expect(await fail({ code: 3, message: 'execution reverted', data: '0xd93c0665' })).toEqual({
      walletWords: 'execution reverted',
      revertData: '0xd93c0665',
    })
    expect(await fail(undefined)).toEqual({})
    expect(isReloadHeld()).toBe(false)
  })

  it.each([undefined, null, '', '0x12', { hash }])('was not sent when the wallet answers %j', async (answer) => {
    expect(await send(() => answer)).toEqual({})
  })
})

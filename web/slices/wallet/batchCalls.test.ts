import { describe, expect, it } from 'vitest'
import { isReloadHeld } from '../../lib/busy.ts'
import { canSendTogether, sendTogether } from './batchCalls.ts'

const hash = `0x${'ab'.repeat(32)}`
const sender = { address: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8', chainId: 31_337 }
const calls = [
  { to: `0x${'11'.repeat(20)}`, data: '0x1234' },
  { to: `0x${'22'.repeat(20)}`, data: '0x5678' },
] as const
const never = new Promise<never>(() => undefined)
const failing = (code: number) => Object.assign(new Error('No'), { code })

describe('a wallet that is asked whether it does calls together', () => {
  const ask = (answer: () => Promise<unknown>) =>
    canSendTogether({ request: answer }, sender, { wait: async () => new Promise((resolve) => setTimeout(resolve, 5)) })

  it.each([
    [{ '0x7a69': { atomic: { status: 'supported' } } }, true],
    [{ '0x7a69': { atomic: { status: 'ready' } } }, false],
    [{ '0x7a69': { atomic: { status: 'unsupported' } } }, false],
    [{ '0x1': { atomic: { status: 'supported' } } }, false],
    [{ '0x7a69': {} }, false],
    [null, false],
    ['supported', false],
  ])('and answers %j: %s', async (answer, can) => {
    expect(await ask(async () => answer)).toBe(can)
  })

  it('cannot, if it does not know the question, or does not answer', async () => {
    expect(await ask(() => Promise.reject(failing(4200)))).toBe(false)
    expect(await ask(() => never)).toBe(false)
  })
})

describe('calls that a wallet does together', () => {
  const send = async (statuses: readonly unknown[], sendCalls: () => unknown = () => ({ id: 'one' })) => {
    const asked: unknown[] = []
    let ms = 0
    let place = 0
    const request = async ({ method, params }: { method: string; params?: unknown }) => {
      asked.push([method, params, isReloadHeld()])
      if (method === 'wallet_sendCalls') return sendCalls()
      const status = statuses[Math.min(place++, statuses.length - 1)]
      if (status instanceof Error) throw status
      return status
    }
    const wait = async (by: number) => {
      ms += by
    }
    const clock = { wait, nowMs: () => ms }
    const sent = await sendTogether({ request }, sender, calls, clock)
    expect(isReloadHeld()).toBe(false)
    return { sent, asked, ms }
  }
  const done = { status: 200, receipts: [{ transactionHash: hash }] }

  it('are asked for all or none, on our chain, and followed until they are there', async () => {
    const { sent, asked } = await send([{ status: 100 }, new Error('busy'), done])
    expect(sent).toEqual({ hash })
    expect(asked[0]).toEqual([
      'wallet_sendCalls',
      [{ version: '2.0.0', from: sender.address, chainId: '0x7a69', atomicRequired: true, calls }],
      true,
    ])
    expect(asked.slice(1)).toEqual(Array(3).fill(['wallet_getCallsStatus', ['one'], true]))
  })

  it('may be named by a text alone, and have a receipt each', async () => {
    const { sent } = await send([{ status: 200, receipts: [{ transactionHash: '0x1' }, { transactionHash: hash }] }], () => 'two')
    expect(sent).toEqual({ hash })
  })

  it.each([400, 500])('that end with %i have paid nothing', async (status) => {
    expect((await send([{ status }])).sent).toEqual({ text: 'Your wallet could not complete the payment. Nothing was paid.' })
  })

  it('that end with 600 were done in part: the payment may be there', async () => {
    expect((await send([{ status: 600 }])).sent).toEqual({
      text: 'Your wallet completed only part of the payment. Check your wallet before you try again.',
    })
  })

  it.each([
    ['has taken them without a name', [], () => null],
    ['has done them and shows no transaction', [{ status: 200 }], undefined],
    ['shows a transaction that is none', [{ status: 200, receipts: [{ transactionHash: '0x1' }] }], undefined],
  ])('are to be checked before another try when the wallet %s', async (_, statuses, sendCalls) => {
    expect((await send(statuses, sendCalls)).sent).toEqual({
      text: 'Your wallet has not reported the result. Check your wallet before you try again.',
    })
  })

  it.each([4200, 5700, 5740, 5750, 5760, -32_601, -32_602])('are not for a wallet that refuses with %i', async (code) => {
    const { sent } = await send([], () => Promise.reject(failing(code)))
    expect(sent).toEqual({ unable: true })
  })

  it('are declined, or end without a word after an hour', async () => {
    const declined = await send([], () => Promise.reject(failing(4001)))
    expect(declined.sent).toMatchObject({ text: 'You declined the request in your wallet' })
    const { sent, ms } = await send([{ status: 100 }])
    expect(sent).toEqual({ text: 'Your wallet has not reported the result. Check your wallet before you try again.' })
    expect(ms).toBe(3_600_000)
  })
})

import { describe, expect, it } from 'vitest'
import { NodeError } from '../../lib/callNode.ts'
import { readFacts } from './readFacts.ts'

const contract = `0x${'c0'.repeat(20)}` as const
const usdc = { address: `0x${'dc'.repeat(20)}`, decimals: 6 } as const
const token = `0x${'70'.repeat(20)}` as const
const wallet = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'

const word = (value: bigint | number) => value.toString(16).padStart(64, '0')
/** By selector, from the published method tables of the contract and of ERC-20. */
const answers = {
  paused: ['0x5c975abb', word(0)],
  isPaymentTokenAllowed: ['0x8de1de71', word(1)],
  paymentAmount: ['0x988590a5', word(25_000_000)],
  boostPrice: ['0xd05f40f1', word(25_000_000)],
  boostDuration: ['0x7f190ced', word(43_200)],
  pendingTerms: ['0xcfb4f6c6', word(30_000_000) + word(3_600) + word(1_900_000_000)],
  getBatchBoostStatus: ['0x5644fd4e', word(64) + word(128) + word(1) + word(1) + word(1) + word(1_800_000_000)],
  balanceOf: ['0x70a08231', word(90_000_000)],
  allowance: ['0xdd62ed3e', word(7)],
  refundOf: ['0xf4e43045', word(5)],
} as const

type Name = keyof typeof answers

/** Reads from a node on which some questions fail. */
async function read(failing: Partial<Record<Name, Error>> = {}, of: string | null = wallet, decimals = 6) {
  const nameOf = (data: string) => (Object.keys(answers) as Name[]).find((name) => data.startsWith(answers[name][0])) ?? 'paused'
  const call = async (_: string, [{ data }]: readonly unknown[] & readonly [{ data: string }]) => {
    const error = failing[nameOf(data)]
    if (error) throw error
    return `0x${answers[nameOf(data)][1]}`
  }
  return readFacts(call as never, { contract, usdc: { ...usdc, decimals }, token }, of ?? undefined)
}

const silence = new NodeError('no answer')
const refusal = new NodeError('execution reverted', 3, '0x12345678')
const all = (error: Error) => Object.fromEntries(Object.keys(answers).map((name) => [name, error]))

describe('what a boost rests on', () => {
  it('is read of the contract and of the wallet', async () => {
    expect(await read()).toEqual({
      paused: false,
      accepted: true,
      costRaw: 25_000_000n,
      durationSeconds: 43_200,
      boostedUntil: 1_800_000_000,
      announced: { costRaw: 30_000_000n, durationSeconds: 3_600, fromSeconds: 1_900_000_000 },
      wallet: { address: wallet, balanceRaw: 90_000_000n, allowanceRaw: 7n, refundRaw: 5n },
    })
    expect((await read({}, null)).wallet).toBeUndefined()
  })

  it.each([
    ['paused', { paused: true }],
    ['isPaymentTokenAllowed', { accepted: false }],
    ['boostDuration', { durationSeconds: 86_400 }],
    ['getBatchBoostStatus', { boostedUntil: 0 }],
    ['pendingTerms', { announced: undefined }],
    ['balanceOf', { wallet: { balanceRaw: 0n, allowanceRaw: 7n } }],
    ['allowance', { wallet: { balanceRaw: 90_000_000n, allowanceRaw: 0n } }],
    ['refundOf', { wallet: { refundRaw: 0n } }],
  ] as const)('counts for the worst where %s fails', async (name, facts) => {
    expect(await read({ [name]: silence })).toMatchObject(facts)
  })

  it('costs the price where USDC is not taken now, rounded up as the contract does, and nothing where nobody knows', async () => {
    expect((await read({ paymentAmount: refusal })).costRaw).toBe(25_000_000n)
    expect((await read({ paymentAmount: refusal }, wallet, 18)).costRaw).toBe(25n * 10n ** 18n)
    expect((await read({ paymentAmount: refusal }, wallet, 0)).costRaw).toBe(25n)
    expect((await read({ paymentAmount: refusal, boostPrice: refusal })).costRaw).toBe(0n)
  })

  it('is not there when the node says nothing at all', async () => {
    await expect(read(all(silence))).rejects.toThrow('The node is not responding')
    expect(await read(all(refusal))).toMatchObject({ paused: true, accepted: false })
  })
})

import { type Address, Failure } from '@chainboard/core'
import { beforeEach, describe, expect, it } from 'vitest'
import { FakeChain } from '../chain/fakeChain.ts'
import { type RecallingChain, toRecallingChain } from '../chain/recallingChain.ts'
import { type ListedToken, toTokenList } from '../market/tokenList.ts'
import { alpha, beta, listed, usdc } from '../testing/market.ts'
import { createPortfolio, type Portfolio } from './createPortfolio.ts'

const wallet: Address = `0x${'33'.repeat(20)}`
const wallets = (count: number) => Array.from({ length: count }, (_, i) => `0x${String(i).padStart(40, '0')}` as Address)
const masterChef: Address = `0x${'91'.repeat(20)}`
const staking: Address = `0x${'92'.repeat(20)}`
const word = (value: bigint) => `0x${value.toString(16).padStart(64, '0')}`

const { tokens } = toTokenList(
  listed.map((token) => {
    if (token.address === alpha) return { ...token, stakingContract: masterChef, stakingAdapter: 'userInfo', stakingPool: 0 }
    if (token.address === beta) return { ...token, stakingContract: masterChef, stakingAdapter: 'userInfo', stakingPool: 1 }
    return token.address === usdc ? { ...token, stakingContract: staking } : token
  }),
  [],
)

let chain: FakeChain
let recalling: RecallingChain
let portfolio: Portfolio
let list: readonly ListedToken[]
let nowMs: number
/** Contracts that were called, first to last. */
let called: Address[]
/** Answers of the contracts that are there; without one the answer is empty, as of a multicall that is not there. */
let answers: Map<Address, () => unknown>
beforeEach(() => {
  chain = new FakeChain()
  called = []
  nowMs = 10_000
  list = tokens
  answers = new Map([
    [usdc, () => word(1_500_000n)],
    [alpha, () => word(1n)],
  ])
  chain.methods.set('eth_getBalance', () => '0xde0b6b3a7640000')
  chain.methods.set('eth_call', (params) => {
    const [{ to }] = params as [{ to: Address }]
    called.push(to)
    return answers.get(to)?.() ?? '0x'
  })
  recalling = toRecallingChain(chain, { nowMs: () => nowMs, freshMs: 500 })
  portfolio = createPortfolio(
    {
      chain: recalling,
      stakeChain: chain,
      listed: () => list,
      coinDecimals: 18,
      coinToken: undefined,
      multicall: `0x${'ca'.repeat(20)}`,
    },
    { keptMs: 1_000, nowMs: () => nowMs },
  )
})

const refused = (message: string) => new Failure('rpc-refused', message, { retryable: true, detail: { code: -32_000 } })
const timesCalled = (address: Address) => called.filter((each) => each === address).length

describe("a wallet's balances", () => {
  it('are the coin and the tokens that it has something of', async () => {
    expect(await portfolio.readBalances(wallet)).toEqual({
      block: 0,
      balances: [
        { token: 'native', amountRaw: 10n ** 18n, decimals: 18 },
        { token: usdc, amountRaw: 1_500_000n, decimals: 6 },
        { token: alpha, amountRaw: 1n, decimals: 8 },
      ],
    })
  })

  it('are read once for all who ask within a second, and again after it', async () => {
    await Promise.all([portfolio.readBalances(wallet), portfolio.readBalances(wallet)])
    nowMs = 10_999
    await portfolio.readBalances(wallet)
    expect(timesCalled(usdc)).toBe(1)
    chain.mine()
    nowMs = 11_001
    expect(await portfolio.readBalances(wallet)).toMatchObject({ block: 1 })
    expect(timesCalled(usdc)).toBe(2)
    await portfolio.readBalances(wallets(1)[0] as Address)
    expect(timesCalled(usdc)).toBe(3)
  })

  it('cost one call where the newest block is known: all are asked of that block', async () => {
    chain.mine()
    await recalling.readHead()
    chain.mine()
    let heads = 0
    const { readHead } = chain
    chain.readHead = () => {
      heads += 1
      return readHead()
    }
    const blocks = new Set<unknown>()
    chain.methods.set('eth_call', (params) => void blocks.add((params as unknown[])[1]))
    expect(await portfolio.readBalances(wallet)).toMatchObject({ block: 1 })
    expect([heads, [...blocks]]).toEqual([0, ['0x1']])
    nowMs = 11_001
    expect(await portfolio.readBalances(wallet)).toMatchObject({ block: 2 })
    expect(heads).toBe(1)
  })

  it.each([
    ['reverts', () => Promise.reject(new Failure('rpc-refused', 'execution reverted', { detail: { code: 3 } }))],
    ['answers nothing', () => '0x'],
    ['answers no hexadecimal text', () => null],
    ['answers 33 bytes', () => `0x${'00'.repeat(32)}01`],
    ['answers half a word', () => '0x05'],
  ])('go without a token that %s', async (_, answer) => {
    answers.set(usdc, answer)
    const { balances } = await portfolio.readBalances(wallet)
    expect(balances.map(({ token }) => token)).toEqual(['native', alpha])
  })

  it('are asked for once more, at the newest block, where a node has lost the block', async () => {
    let times = 0
    answers.set(alpha, () => {
      times += 1
      if (times > 1) return word(9n)
      chain.mine()
      throw refused('header not found')
    })
    const { block, balances } = await portfolio.readBalances(wallet)
    expect([block, balances.at(-1)?.amountRaw, times]).toEqual([1, 9n, 2])
  })

  it.each([
    ['rpc-unavailable', 'The node is not responding'],
    ['rpc-rate-limited', "The node's rate limit was reached"],
  ] as const)('are unreadable when the node says %s, and nothing of that is kept', async (code, message) => {
    chain.failures.push(new Failure(code, message, { retryable: true }))
    await expect(portfolio.readBalances(wallet)).rejects.toMatchObject({
      code: 'wallet-unreadable',
      message: `The balances of ${wallet} cannot be read: ${message}`,
    })
    expect((await portfolio.readBalances(wallet)).balances).toHaveLength(3)
  })

  it.each([
    ['refuses', () => Promise.reject(refused('missing trie node'))],
    ['answers no number', () => 'much'],
  ])("are unreadable when the node %s, asked for the coin's balance", async (_, answer) => {
    chain.methods.set('eth_getBalance', answer)
    await expect(portfolio.readBalances(wallet)).rejects.toMatchObject({ code: 'wallet-unreadable' })
  })

  it('are read for 16 wallets at once; 400 more wait and others are turned away', async () => {
    const open = Promise.withResolvers<void>()
    chain.methods.set('eth_getBalance', async () => open.promise.then(() => '0x0'))
    const readings = wallets(417).map((each) => portfolio.readBalances(each))
    await expect(readings[416]).rejects.toMatchObject({
      code: 'wallet-unreadable',
      message: expect.stringContaining('too many wallets at once'),
    })
    await expect.poll(() => timesCalled(usdc)).toBe(16)
    open.resolve()
    expect(await Promise.all(readings.slice(0, 416))).toHaveLength(416)
  })
})

describe('another list', () => {
  it('counts from the next reading on, for balances and stakes', async () => {
    await portfolio.readBalances(wallet)
    list = tokens.filter(({ id }) => id !== usdc && id !== beta)
    nowMs = 11_001
    expect((await portfolio.readBalances(wallet)).balances.map(({ token }) => token)).toEqual(['native', alpha])
    await expect(portfolio.readStake({ contract: staking, wallet })).rejects.toThrow('No listed token is staked at')
    // Only one token is staked there now, so a caller need not name it.
    answers.set(masterChef, () => word(7n))
    expect(await portfolio.readStake({ contract: masterChef, wallet })).toEqual({ token: alpha, amountRaw: 7n, decimals: 8 })
    list = tokens
    answers.set(staking, () => word(9n))
    expect(await portfolio.readStake({ contract: staking, wallet })).toEqual({ token: usdc, amountRaw: 9n, decimals: 6 })
  })
})

describe('a stake', () => {
  it('is in smallest units of its token, and read once for all who ask within a second', async () => {
    answers.set(staking, () => word(7_000_001n))
    const question = { contract: staking, wallet }
    const [stake] = await Promise.all([portfolio.readStake(question), portfolio.readStake(question)])
    expect(stake).toEqual({ token: usdc, amountRaw: 7_000_001n, decimals: 6 })
    nowMs = 11_001
    await portfolio.readStake(question)
    expect(called).toEqual([staking, staking])
  })

  it('in a contract of several pools is asked for by token', async () => {
    chain.methods.set('eth_call', (params) => word((BigInt((params as [{ data: string }])[0].data.slice(0, 74)) % 256n) + 40n))
    const read = (token: Address) => portfolio.readStake({ contract: masterChef, wallet, token })
    expect([await read(alpha), await read(beta)]).toEqual([
      { token: alpha, amountRaw: 40n, decimals: 8 },
      { token: beta, amountRaw: 41n, decimals: 18 },
    ])
    await expect(portfolio.readStake({ contract: masterChef, wallet })).rejects.toMatchObject({
      code: 'request-invalid',
      message: `querystring token: missing, expected one of ${alpha}, ${beta}`,
    })
  })

  it('of a contract that answers nobody holds up that contract alone: 8 ask, 100 wait, others are turned away', async () => {
    const open = Promise.withResolvers<void>()
    answers.set(staking, () => open.promise.then(() => word(1n)))
    answers.set(masterChef, () => word(2n))
    const slow = wallets(109).map((each) => portfolio.readStake({ contract: staking, wallet: each }))
    await expect(slow[108]).rejects.toMatchObject({
      code: 'wallet-unreadable',
      message: expect.stringContaining('too many wallets at once'),
    })
    await expect.poll(() => timesCalled(staking)).toBe(8)
    const others = wallets(50).map((each) => portfolio.readStake({ contract: masterChef, wallet: each, token: alpha }))
    expect((await Promise.all(others)).map(({ amountRaw }) => amountRaw)).toEqual(Array(50).fill(2n))
    expect((await portfolio.readBalances(wallet)).balances).toHaveLength(3)
    open.resolve()
    expect(await Promise.all(slow.slice(0, 108))).toHaveLength(108)
    expect(timesCalled(staking)).toBe(108)
  })

  it('one client has 10 of the places, and its other questions wait apart: others are answered meanwhile', async () => {
    const open = Promise.withResolvers<void>()
    answers.set(staking, () => open.promise.then(() => word(1n)))
    const ask = (client: string, count: number, from = 0) =>
      wallets(from + count)
        .slice(from)
        .map((each) => portfolio.readStake({ contract: staking, wallet: each, client }))
    const greedy = ask('192.0.2.1', 300)
    await expect.poll(() => timesCalled(staking)).toBe(8)
    // 98 places are left for others, and not one more.
    const others = ask('192.0.2.2', 9, 300)
    const many = Array.from({ length: 90 }, (_, i) => ask(`192.0.3.${i}`, 1, 400 + i)).flat()
    await expect(many[89]).rejects.toMatchObject({ message: expect.stringContaining('too many wallets at once') })
    open.resolve()
    expect(await Promise.all([...greedy, ...others, ...many.slice(0, 89)])).toHaveLength(398)
  })

  it('is asked of no contract that the list does not name', async () => {
    await expect(portfolio.readStake({ contract: wallet, wallet })).rejects.toMatchObject({
      code: 'token-not-found',
      message: `No listed token is staked at ${wallet}`,
    })
    await expect(portfolio.readStake({ contract: staking, wallet, token: alpha })).rejects.toMatchObject({
      code: 'token-not-found',
      message: `No listed token ${alpha} is staked at ${staking}`,
    })
    expect(called).toEqual([])
  })

  it('is unreadable when the node does not answer', async () => {
    chain.failures.push(new Failure('rpc-unavailable', 'The node is not responding', { retryable: true }))
    await expect(portfolio.readStake({ contract: staking, wallet })).rejects.toMatchObject({
      code: 'wallet-unreadable',
      message: `The stake of ${wallet} cannot be read: The node is not responding`,
    })
  })
})

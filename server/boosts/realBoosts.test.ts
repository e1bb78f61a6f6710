import type { WireBoost, WireToken } from '@chainboard/contract'
import type { Devnet } from '@chainboard/devnet'
import { type Address, decodeFunctionResult, encodeFunctionData, parseAbi } from 'viem'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { readConfig } from '../config.ts'
import { type Server, startServer } from '../startServer.ts'
import { startShortDevnet } from '../testing/startShortDevnet.ts'
import { createTempStores } from '../testing/tempStores.ts'
import { testConfig } from '../testing/testConfig.ts'

const abi = parseAbi([
  'function approve(address spender, uint256 amount)',
  'function boostToken(address token, address paymentToken)',
  'function emergencyRemoveBoost(address token)',
  'function pause()',
  'function unpause()',
  'function remainingTime(address token) view returns (uint256)',
  'function getBatchBoostStatus(address[] tokens) view returns (bool[] boosted, uint256[] expirations)',
])
const stores = createTempStores()
const seenMs = 2_000
const hours = 3_600

// The real contract on a real node, and what visitors are told of it. Without an index: boosts need none.
describe('boosts on a real chain', () => {
  const { network: ours, tokenList } = readConfig({ NETWORK: 'devnet' })
  const network = { ...ours, index: { pools: 'none' as const } }
  let store: { readonly file: string }
  let devnet: Devnet
  let server: Server
  // A chain and a server for each test: every one changes what all of them look at.
  beforeEach(async () => {
    devnet = await startShortDevnet()
    store = (await stores.locate('sqlite')) as typeof store
    server = await startServer(testConfig({ network, tokenList, store, rpcUrls: [devnet.rpcUrl] }))
    await vi.waitUntil(async () => (await read<unknown[]>('/assets.json?boosted=true')).length === 2, { timeout: 20_000 })
  })
  afterEach(async () => {
    await server.close()
    await devnet.stop()
  })

  const [owner, demo] = [0, 1].map((place) => () => devnet.accounts[place]?.address as Address) as [() => Address, () => Address]
  const find = (symbol: string) => devnet.tokens.find((token) => token.symbol === symbol)?.address as Address
  const read = async <T>(path: string): Promise<T> => (await server.app.inject(path)).json()
  /** Symbols and ends, as the server tells them. */
  const readBoosted = async () =>
    (await read<WireToken[]>('/assets.json?boosted=true')).map(({ symbol, boostInfo }) => [symbol, boostInfo?.expirationTime])
  const readLedger = () => read<WireBoost[]>('/api/boosts')
  /** The same, as the contract says them at the newest block. */
  const askContract = async (...symbols: string[]) => {
    const data = encodeFunctionData({ abi, functionName: 'getBatchBoostStatus', args: [symbols.map(find)] })
    const answer = await devnet.rpc<`0x${string}`>('eth_call', [{ to: devnet.contracts.boost, data }, 'latest'])
    const [boosted, ends] = decodeFunctionResult({ abi, functionName: 'getBatchBoostStatus', data: answer })
    return symbols.flatMap((symbol, i) => (boosted[i] ? [[symbol, Number(ends[i])]] : []))
  }
  const send = async (from: Address, to: Address, data: `0x${string}`) => {
    const hash = await devnet.rpc<string>('eth_sendTransaction', [{ from, to, data, gas: '0x7a120' }])
    await vi.waitUntil(() => devnet.rpc('eth_getTransactionReceipt', [hash]), { interval: 5, timeout: 10_000 })
    expect(await devnet.rpc('eth_getTransactionReceipt', [hash])).toMatchObject({ status: '0x1' })
    return hash
  }
  const sendToContract = (from: Address, functionName: 'emergencyRemoveBoost' | 'pause' | 'unpause', args: [] | [Address] = []) =>
    send(
      from,
      devnet.contracts.boost,
      encodeFunctionData({ abi, functionName, args } as Parameters<typeof encodeFunctionData>[0]),
    )
  const pay = async (symbol: string) => {
    const approve = encodeFunctionData({ abi, functionName: 'approve', args: [devnet.contracts.boost, 25_000_000n] })
    await send(demo(), find('USDC'), approve)
    const data = encodeFunctionData({ abi, functionName: 'boostToken', args: [find(symbol), find('USDC')] })
    return send(demo(), devnet.contracts.boost, data)
  }
  /** Mines a block 9 hours and 50 seconds before Orrery's boost ends, when Tidewater's has ended. @returns that end */
  const warpToLastHours = async () => {
    const [[, end] = []] = (await askContract('ORRY')) as [string, number][]
    await devnet.rpc('evm_setNextBlockTimestamp', [Number(end) - (9 * hours + 50)])
    await devnet.mine()
    return end
  }
  const boostedAre = (wanted: unknown) => expect.poll(readBoosted, { timeout: seenMs, interval: 20 }).toEqual(wanted)

  it('are shown within two seconds of a payment, as the contract has them, and the payment with it', async () => {
    const before = await readLedger()
    expect(before.map(({ token }) => token)).toEqual([find('TIDE'), find('ORRY'), find('ORRY')])
    const hash = await pay('CNDR')
    const [cinderbank] = await askContract('CNDR')
    const [orrery, tidewater] = await askContract('ORRY', 'TIDE')
    await boostedAre([orrery, cinderbank, tidewater])
    const block = await devnet.rpc<{ timestamp: string }>('eth_getBlockByNumber', ['latest', false])
    expect(await readLedger()).toEqual([
      {
        ...{ token: find('CNDR'), payer: demo(), paymentToken: find('USDC'), amount: '25', transaction: { id: hash } },
        ...{ timestamp: Number(block.timestamp), expiresAt: Number(block.timestamp) + 24 * hours },
      },
      ...before,
    ])
    await pay('CNDR')
    expect((await askContract('CNDR'))[0]?.[1]).toBe(Number(cinderbank?.[1]) + 24 * hours)
    await boostedAre([await askContract('CNDR'), [orrery], [tidewater]].flat())
  })

  it('end with a removal, which takes nothing out of the ledger', async () => {
    await pay('CNDR')
    await boostedAre(await askContract('ORRY', 'CNDR', 'TIDE'))
    const payments = await readLedger()
    expect(payments).toHaveLength(4)
    await sendToContract(owner(), 'emergencyRemoveBoost', [find('CNDR')])
    await boostedAre(await askContract('ORRY', 'TIDE'))
    expect(await readLedger()).toEqual(payments)
  })

  it('move on in a pause, block by block', async () => {
    const [[, before]] = (await askContract('ORRY')) as [[string, number]]
    await sendToContract(owner(), 'pause')
    await devnet.rpc('evm_increaseTime', [2 * hours])
    await devnet.mine()
    const paused = (await askContract('ORRY', 'TIDE')) as [string, number][]
    expect((paused[0]?.[1] ?? 0) - before).toBeGreaterThanOrEqual(2 * hours)
    await boostedAre(paused)
    await sendToContract(owner(), 'unpause')
  })

  it('have as much time left as the contract says, on a chain whose clock is ahead of ours', async () => {
    const end = await warpToLastHours()
    const data = encodeFunctionData({ abi, functionName: 'remainingTime', args: [find('ORRY')] })
    expect(Number(await devnet.rpc('eth_call', [{ to: devnet.contracts.boost, data }, 'latest']))).toBe(9 * hours + 50)
    const left = { isBoosted: true, expirationTime: end, remainingHours: 9, remainingMinutes: 0 }
    const readLeft = async (path: string) => (await read<WireToken[]>(path)).find(({ symbol }) => symbol === 'ORRY')?.boostInfo
    for (const path of ['/assets.json?boosted=true', '/assets.json', `/assets.json?addresses=${find('ORRY')}`])
      await expect.poll(() => readLeft(path), { timeout: seenMs, interval: 20 }).toEqual(left)
    // Tidewater's has ended there, and by our clock it has not.
    await boostedAre([['ORRY', end]])
    expect(await askContract('ORRY', 'TIDE')).toEqual([['ORRY', end]])
  })

  it('stand still in a pause while no block comes, also a second before their end', async () => {
    /** Who is boosted, and by the time that comes with it the seconds that Orrery's boost has left. */
    const readTold = async () => {
      const { headers, body } = await server.app.inject('/assets.json?boosted=true')
      const tokens: WireToken[] = JSON.parse(body)
      const end = tokens.find(({ symbol }) => symbol === 'ORRY')?.boostInfo?.expirationTime ?? Number.NaN
      const left = end - Number(headers['x-chain-time'])
      return { clock: headers['x-boost-clock'], symbols: tokens.map(({ symbol }) => symbol), left }
    }
    await warpToLastHours()
    await pay('TIDE')
    const [[, end] = []] = (await askContract('ORRY')) as [string, number][]
    await devnet.rpc('evm_setNextBlockTimestamp', [Number(end) - 1])
    await sendToContract(owner(), 'pause')
    const told = { clock: 'paused', symbols: ['TIDE', 'ORRY'], left: 1 }
    await expect.poll(readTold, { timeout: seenMs, interval: 20 }).toEqual(told)
    const later = vi.spyOn(Date, 'now').mockReturnValue(Date.now() + 10_000)
    expect(await readTold()).toEqual(told)
    expect((await read<WireToken[]>('/assets.json')).filter(({ boostInfo }) => boostInfo)).toHaveLength(2)
    expect(await askContract('ORRY')).toEqual([['ORRY', end]])
    later.mockRestore()
    await sendToContract(owner(), 'unpause')
    await devnet.rpc('evm_increaseTime', [2])
    await devnet.mine()
    await expect.poll(readTold, { timeout: seenMs, interval: 20 }).toEqual({ symbols: ['TIDE'], left: Number.NaN })
  })

  it('are taken back with the block of the payment', async () => {
    const [payments, boosted] = [await readLedger(), await askContract('ORRY', 'TIDE')]
    await pay('QUIL')
    await expect.poll(readLedger, { timeout: seenMs, interval: 20 }).toHaveLength(payments.length + 1)
    await devnet.reorg(1)
    await expect.poll(readLedger, { timeout: seenMs, interval: 20 }).toEqual(payments)
    await boostedAre(boosted)
  })

  it('are not known while no node answers after a start, and every payment is there', async () => {
    const payments = await readLedger()
    await server.close()
    server = await startServer(testConfig({ network, tokenList, store, rpcUrls: ['http://127.0.0.1:9'] }))
    expect(await readLedger()).toEqual(payments)
    expect((await read<WireToken[]>('/assets.json')).filter(({ boostInfo }) => boostInfo)).toEqual([])
    const unknown = await server.app.inject('/assets.json?boosted=true')
    expect([unknown.statusCode, unknown.json()]).toEqual([503, { error: 'Failed to refresh boost data' }])
  })
})

import { type Address, Failure } from '@chainboard/core'
import type { Devnet } from '@chainboard/devnet'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createViemChain } from '../../../chain/viemChain.ts'
import { type DevFeed, deployFeed } from '../../../testing/deployFeed.ts'
import { inList } from '../../../testing/doctorRuns.ts'
import { startShortDevnet } from '../../../testing/startShortDevnet.ts'
import type { SourceChain } from '../../sourceDefinition.ts'
import { createFeedSource } from './feedSource.ts'

let devnet: Devnet
let chain: SourceChain
let nowSeconds: number
let good: DevFeed
let bad: DevFeed
const [wemb, bslt, tide] = ['WEMB', 'BSLT', 'TIDE'].map(inList) as [ReturnType<typeof inList>, ...ReturnType<typeof inList>[]]
const tokens = [wemb, bslt, tide] as ReturnType<typeof inList>[]
const nobody: Address = `0x${'99'.repeat(20)}`

beforeAll(async () => {
  devnet = await startShortDevnet()
  chain = createViemChain([devnet.rpcUrl])
  nowSeconds = (await chain.readHead()).timestampSeconds
  good = await deployFeed(devnet, 8)
  bad = await deployFeed(devnet, 18)
  await good.put(2_500_12345678n, nowSeconds)
})
afterAll(() => devnet.stop())

/** WEMB by the good feed, BSLT by another one. */
async function read(aggregator = bad.address, asked: SourceChain = chain, multicall = devnet.contracts.multicall3 as Address) {
  const feeds = [
    { token: bslt?.id as Address, aggregator, heartbeatSeconds: 86_400 },
    { token: wemb.id, aggregator: good.address, heartbeatSeconds: 86_400 },
  ]
  const source = createFeedSource(asked, { feeds, multicall })
  const { answers } = await source.read(tokens)
  return tokens.map(({ id }) => answers.get(id))
}
const goodPrice = { kind: 'quoted', quote: { usdE18: 2_500_123_456_780_000_000_000n, source: 'feeds' } }
const without = (reason: string) => ({ kind: 'unpriced', reasons: [reason], displayPool: undefined })

describe('feeds of a chain', () => {
  it('price their tokens by their own decimals, from when they were updated and for their heartbeat', async () => {
    await bad.put(1_500_000_000_000_000_000n, nowSeconds - 5)
    const [first, second, third] = await read()
    const { number } = await chain.readHead()
    expect(first).toMatchObject({
      kind: 'quoted',
      quote: {
        ...goodPrice.quote,
        observedAtSeconds: nowSeconds,
        validSeconds: 86_400,
        askedAs: `latestRoundData() of ${good.address}, round 1, at block ${number}`,
        atBlock: undefined,
      },
    })
    expect(second).toMatchObject({ quote: { usdE18: 1_500_000_000_000_000_000n, observedAtSeconds: nowSeconds - 5 } })
    expect(third).toEqual(without('The network file names no price feed for this token'))
  })

  it.each(['reverts', 'burnsAllGas', 'answersOneWord', 'answersTooMuch'] as const)(
    'keep their prices when one of them %s',
    async (mode) => {
      await bad.behave(mode)
      const [first, second] = await read()
      await bad.behave('answers')
      expect(first).toMatchObject(goodPrice)
      expect(second).toEqual(without(`The price feed ${bad.address} does not answer latestRoundData()`))
    },
  )

  it('keep their prices when one of them has no price, and no contract', async () => {
    await bad.put(-1n, nowSeconds)
    expect(await read()).toMatchObject([goodPrice, without(`The price feed ${bad.address} answers -1`), {}])
    await bad.put(10n ** 70n, nowSeconds)
    expect((await read())[1]).toEqual(without(`The price feed ${bad.address} reports more than 10^12 US dollars`))
    await bad.put(1n, 0)
    expect((await read())[1]).toEqual(without(`The price feed ${bad.address} is in the middle of a round`))
    expect((await read(nobody))[1]).toEqual(without(`No contract answers at the price feed ${nobody}`))
  })

  it('give no price by a token, a pool or anything else that is written there by mistake', async () => {
    for (const mistake of [wemb.id, devnet.contracts.factory, devnet.pools[0]?.address as Address]) {
      const [first, second] = await read(mistake)
      expect(first).toMatchObject(goodPrice)
      expect(second).toMatchObject({ kind: 'unpriced', reasons: [expect.stringContaining(mistake)] })
    }
  })

  it.each([
    [0, 3n, 3n * 10n ** 18n],
    [77, 5n * 10n ** 76n, 5n * 10n ** 17n],
    [255, 10n ** 76n, undefined],
  ])('have the decimals that their contracts say: %i', async (decimals, answer, usdE18) => {
    const feed = await deployFeed(devnet, decimals)
    await feed.put(answer, nowSeconds)
    const [first, second] = await read(feed.address)
    expect(first).toMatchObject(goodPrice)
    expect(second).toMatchObject(
      usdE18 ? { quote: { usdE18 } } : without(`The price feed ${feed.address} has 255 decimals, over 77`),
    )
  })

  it('are read without a multicall too', async () => {
    await bad.put(10n ** 18n, nowSeconds)
    expect(await read(bad.address, chain, nobody)).toMatchObject([goodPrice, { quote: { usdE18: 10n ** 18n } }, {}])
  })

  it('are asked in one call beside the head', async () => {
    const asked: string[] = []
    const counted: SourceChain = {
      readHead: chain.readHead,
      forward: (method, params) => {
        asked.push(method)
        return chain.forward(method, params)
      },
    }
    await read(bad.address, counted)
    expect(asked).toEqual(['eth_call'])
  })

  it('whose calls the node refuses one by one leave the others theirs', async () => {
    const refuses = (to: Address): SourceChain => ({
      readHead: chain.readHead,
      forward: async (method, params) => {
        const text = JSON.stringify(params)
        const isTogether = text.includes(devnet.contracts.multicall3.toLowerCase())
        if (isTogether || text.includes(to.toLowerCase())) throw new Failure('rpc-refused', 'The answer is too large')
        return chain.forward(method, params)
      },
    })
    const multicall = devnet.contracts.multicall3.toLowerCase() as Address
    expect(await read(bad.address, refuses(bad.address), multicall)).toMatchObject([
      goodPrice,
      without(`The price feed ${bad.address} does not answer latestRoundData()`),
      {},
    ])
  })

  it('say nothing new of any token while the node does not answer', async () => {
    const down: SourceChain = {
      readHead: chain.readHead,
      forward: async () => {
        throw new Failure('rpc-refused', 'The node has no state of this block')
      },
    }
    await expect(read(bad.address, down)).rejects.toMatchObject({ code: 'rpc-refused' })
    const gone: SourceChain = { ...down, readHead: () => Promise.reject(new Failure('rpc-unavailable', 'No answer')) }
    await expect(read(bad.address, gone)).rejects.toMatchObject({ code: 'rpc-unavailable' })
  })
})

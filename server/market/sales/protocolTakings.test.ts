import { type Address, Failure } from '@chainboard/core'
import { expect, it } from 'vitest'
import { createTakingsReader } from './protocolTakings.ts'

const pool = `0x${'b0'.repeat(20)}` as Address
/** As of a pool on Ethereum. */
const collectProtocol = '0x596b573906218d3411850b26a6b437d6c4522fdb43d2d2386263f86d50b8b151'
const word = (n: number) => n.toString(16).padStart(64, '0')
type Filter = { readonly fromBlock: string; readonly toBlock: string }

/** A node with these collections: block, amount0, amount1. */
function open(collections: (readonly [number, number, number])[], { hadShare = true, widest = 10_000 } = {}) {
  const asked: [number, number][] = []
  const forward = async (method: string, params: unknown) => {
    const [{ fromBlock, toBlock }] = params as [Filter]
    const [from, to] = [Number(fromBlock), Number(toBlock)]
    expect([method, params]).toMatchObject(['eth_getLogs', [{ address: pool, topics: [collectProtocol] }]])
    asked.push([from, to])
    if (to - from >= widest) throw new Failure('rpc-range-too-wide', 'too many blocks', { retryable: true })
    return collections
      .filter(([block]) => block >= from && block <= to)
      .map(([, amount0, amount1]) => ({ topics: ['0x1', '0x2', '0x3'], data: `0x${word(amount0)}${word(amount1)}` }))
  }
  const read = createTakingsReader({
    chain: { forward },
    findFirstShare: async () => (hadShare ? 100 : undefined),
    spanMax: 1_000,
    reorgDepthMax: 64,
  })
  return { asked, read }
}

it('sums up what was collected since the exchange had a share, and reads settled blocks once', async () => {
  const collections: [number, number, number][] = [
    [50, 900, 900],
    [150, 3, 5],
    [1_150, 10, 20],
    [1_250, 100, 200],
  ]
  const { asked, read } = open(collections)
  expect(await read(pool, 1_250)).toMatchObject({ taken0: 113n, taken1: 225n })
  expect(asked).toEqual([
    [100, 1_099],
    [1_100, 1_186],
    [1_187, 1_250],
  ])
  // A reorg takes the newest back.
  collections.pop()
  asked.length = 0
  expect(await read(pool, 1_251)).toMatchObject({ taken0: 13n, taken1: 25n })
  expect(asked).toEqual([
    [1_187, 1_187],
    [1_188, 1_251],
  ])
})

it('asks nothing of a pool in whose fees the exchange never had a share', async () => {
  const { asked, read } = open([[150, 3, 5]], { hadShare: false })
  expect(await read(pool, 1_250)).toEqual({ taken0: 0n, taken1: 0n })
  expect(asked).toEqual([])
})

it('reads a long past in turns, and does not know it before the last one', async () => {
  const { asked, read } = open([[150, 3, 5]])
  expect(await read(pool, 30_100)).toBeUndefined()
  expect(asked).toHaveLength(20)
  expect(await read(pool, 30_100)).toMatchObject({ taken0: 3n, taken1: 5n })
  expect(asked).toHaveLength(31)
})

it('asks for fewer blocks where the node refuses so many', async () => {
  const { asked, read } = open([[150, 3, 5]], { widest: 300 })
  expect(await read(pool, 600)).toMatchObject({ taken0: 3n, taken1: 5n })
  expect(asked[0]).toEqual([100, 536])
})

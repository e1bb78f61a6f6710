import { type Address, Failure, type Hex } from '@chainboard/core'
import { expect, it } from 'vitest'
import type { Call } from './readRange.ts'
import { readTokenFacts } from './readTokenFacts.ts'

const token: Address = `0x${'11'.repeat(20)}`
const word = (value: number | bigint) => `0x${value.toString(16).padStart(64, '0')}`
const hashOf = (number: number) => word(0xb10c_0000 + number) as Hex
const answers: Readonly<Record<string, string>> = {
  '0x95d89b41': `0x${'4f4e45'.padEnd(64, '0')}`,
  '0x06fdde03': `0x${'4f6e65'.padEnd(64, '0')}`,
  '0x313ce567': word(6),
  '0x18160ddd': word(5_000),
}
const known = { address: token, symbol: 'ONE', name: 'One', decimals: 6, totalSupplyRaw: 5_000n }

type Node = {
  readonly head: number
  /** The block that made the token. */
  readonly made: number
  /** Blocks that the state is kept of; absent: all. */
  readonly states?: number
  readonly takesHashes?: boolean
}
const refused = (message: string, code = -32_000) => new Failure('rpc-refused', message, { retryable: true, detail: { code } })

/** Whatever stands behind one URL: each call goes to the node that `pick` takes. */
function behindOneUrl(pick: () => Node, asked: unknown[] = []): Call {
  return async <T>(method: string, params: unknown): Promise<T> => {
    const { head, made, states = Number.POSITIVE_INFINITY, takesHashes = true } = pick()
    const [first, at] = params as [unknown, Hex | { blockHash: Hex } | 'latest']
    if (method === 'eth_getBlockByNumber') {
      const number = first === 'latest' ? head : Number(first)
      if (number > head) return null as T
      const [hash, parentHash] = [hashOf(number), hashOf(number - 1)]
      return { number: `0x${number.toString(16)}`, hash, parentHash, timestamp: '0x65000000' } as T
    }
    asked.push(at)
    if (typeof at === 'object' && !takesHashes) throw refused('invalid argument 1: hex string expected', -32_602)
    const number = typeof at === 'object' ? Number(BigInt(at.blockHash) - BigInt(hashOf(0))) : at === 'latest' ? head : Number(at)
    if (number > head) throw refused('header for hash not found')
    if (number <= head - states) throw refused('missing trie node 1234 (path ) state is not available')
    return (number < made ? '0x' : answers[(first as { data: string }).data]) as T
  }
}
const at = (number: number) => ({ number, hash: hashOf(number) })

it('a node one block behind another one has no say on a token that the other one has', async () => {
  let calls = 0
  const pick = () => ({ head: calls++ % 2 === 0 ? 100 : 99, made: 100 })
  await expect(readTokenFacts(behindOneUrl(pick), [token], at(100))).rejects.toMatchObject({
    code: 'rpc-unavailable',
    retryable: true,
  })
  // A block later both have it, whichever answers.
  const later = () => ({ head: calls++ % 2 === 0 ? 101 : 100, made: 100 })
  expect(await readTokenFacts(behindOneUrl(later), [token], at(100))).toEqual([known])
})

it('a token without code at a block that the node has does not answer', async () => {
  const open = { address: token, symbol: '', name: '', decimals: undefined, totalSupplyRaw: 0n }
  expect(
    await readTokenFacts(
      behindOneUrl(() => ({ head: 100, made: 200 })),
      [token],
      at(100),
    ),
  ).toEqual([open])
})

it('a token of an old block is asked where all nodes are, and as it is lately', async () => {
  const asked: unknown[] = []
  expect(
    await readTokenFacts(
      behindOneUrl(() => ({ head: 5_000, made: 100, states: 128 }), asked),
      [token],
      at(100),
    ),
  ).toEqual([known])
  expect(new Set(asked.map((each) => JSON.stringify(each)))).toEqual(new Set([JSON.stringify({ blockHash: hashOf(4_984) })]))
})

it('a node that has hardly any states is asked at its newest block, if it has the block of the token', async () => {
  const node = { head: 110, made: 100, states: 2 }
  expect(
    await readTokenFacts(
      behindOneUrl(() => node),
      [token],
      at(100),
    ),
  ).toEqual([known])
  const other = { number: 100, hash: hashOf(7_000) }
  await expect(
    readTokenFacts(
      behindOneUrl(() => node),
      [token],
      other,
    ),
  ).rejects.toMatchObject({ code: 'rpc-unavailable' })
})

it('a node that takes no hash is asked by number, between two looks at the block', async () => {
  const asked: unknown[] = []
  const node = { head: 100, made: 100, takesHashes: false }
  expect(
    await readTokenFacts(
      behindOneUrl(() => node, asked),
      [token],
      at(100),
    ),
  ).toEqual([known])
  expect(asked).toContain('0x64')
  let looks = 0
  const pick = () => ({ ...node, head: looks++ < 6 ? 100 : 99 })
  await expect(readTokenFacts(behindOneUrl(pick), [token], at(100))).rejects.toMatchObject({ code: 'rpc-unavailable' })
})

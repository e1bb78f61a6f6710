import { type Address, Failure, type Hex } from '@chainboard/core'
import { expect, it } from 'vitest'
import { scanLogs } from './scanLogs.ts'

const topic: Hex = `0x${'11'.repeat(32)}`
const pool: Address = `0x${'aa'.repeat(20)}`
type Filter = { readonly fromBlock: string; readonly toBlock: string; readonly address?: readonly string[] }

/** A node with a log in every block; `refuse` says what it answers to too many blocks. */
function nodeOf({ refuse, more = [] }: { refuse: (blocks: number) => Failure | undefined; more?: object[] }) {
  const asked: [number, number][] = []
  const forward = async (_method: string, params: unknown) => {
    const [{ fromBlock, toBlock }] = params as [Filter]
    const [from, to] = [Number(fromBlock), Number(toBlock)]
    asked.push([from, to])
    const failure = refuse(to - from + 1)
    if (failure) throw failure
    return [...Array.from({ length: to - from + 1 }, (_, i) => logOf(from + i)), ...more]
  }
  return { asked, node: { forward } }
}

function logOf(block: number, changes: object = {}) {
  const place = { blockNumber: `0x${block.toString(16)}`, blockHash: topic, logIndex: '0x0', transactionHash: topic }
  return { ...place, address: pool, topics: [topic], data: '0x', ...changes }
}

const tooMany = (detail = {}) => new Failure('rpc-range-too-wide', 'too many logs', { retryable: true, detail })
const question = { from: 0, to: 99, topics: [topic] }
const limits = { width: 40, requestsMax: 100, logsMax: 1_000 }

it('a range that has too many logs is halved until it is answered, and nothing is left out', async () => {
  const { asked, node } = nodeOf({ refuse: (blocks) => (blocks > 10 ? tooMany() : undefined) })
  const { logs, isComplete } = await scanLogs(node, question, limits)
  expect([logs.length, isComplete]).toEqual([100, true])
  expect(asked.slice(0, 4)).toEqual([
    [0, 39],
    [0, 19],
    [0, 9],
    [10, 19],
  ])
})

it('a width that the node names is taken', async () => {
  const { asked, node } = nodeOf({ refuse: (blocks) => (blocks > 25 ? tooMany({ blocks: 25 }) : undefined) })
  expect((await scanLogs(node, question, limits)).isComplete).toBe(true)
  expect(asked[1]).toEqual([0, 24])
})

it('newest first, it stops at its bounds and says that there is more', async () => {
  const { asked, node } = nodeOf({ refuse: () => undefined })
  const newest = await scanLogs(node, question, { ...limits, requestsMax: 2, newestFirst: true })
  expect([newest.logs.length, newest.isComplete]).toEqual([80, false])
  expect(asked).toEqual([
    [60, 99],
    [20, 59],
  ])
  expect((await scanLogs(node, question, { ...limits, logsMax: 30 })).logs).toHaveLength(40)
})

it('what was not asked for counts for nothing', async () => {
  const more = [logOf(1, { topics: [`0x${'22'.repeat(32)}`] }), logOf(1, { address: `0x${'bb'.repeat(20)}` })]
  const { node } = nodeOf({ refuse: () => undefined, more })
  const { logs } = await scanLogs(node, { ...question, to: 4, contracts: [pool] }, limits)
  expect(logs.map(({ blockNumber }) => blockNumber)).toEqual([0, 1, 2, 3, 4])
})

it('a node that reads no logs without names of contracts has none to show', async () => {
  const { node } = nodeOf({ refuse: () => new Failure('rpc-refused', 'specify an address') })
  expect(await scanLogs(node, question, limits)).toEqual({ logs: [], isComplete: false })
})

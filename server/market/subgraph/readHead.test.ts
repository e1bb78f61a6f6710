import { describe, expect, it } from 'vitest'
import { readHead } from './readHead.ts'
import type { SubgraphClient } from './subgraphClient.ts'

const hash = `0xAB${'cd'.repeat(31)}`
const block = { number: 7, hash, timestamp: 1_700_000_000 }

/** A subgraph that gives these answers, one after the other, and what it was asked. */
function client(answers: readonly Readonly<Record<string, unknown>>[], knowsTime = true) {
  const left = [...answers]
  const asked: string[] = []
  const subgraph: SubgraphClient = {
    ask: async (toQuery) => {
      asked.push(toQuery((field) => knowsTime || field !== '_Block_.timestamp'))
      return left.shift() ?? {}
    },
  }
  return { subgraph, asked }
}
const meta = (facts: object = {}, hasIndexingErrors = false) => ({ _meta: { block: { ...block, ...facts }, hasIndexingErrors } })

describe('the newest block of a subgraph', () => {
  it('is read with one question, whether its numbers come as numbers or as text', async () => {
    const { subgraph, asked } = client([meta({ timestamp: '1700000000', number: '7' })])
    expect(await readHead(subgraph)).toEqual({ number: 7, hash: hash.toLowerCase(), timestampSeconds: 1_700_000_000 })
    expect(asked).toHaveLength(1)
  })

  it('is as old as the newest transaction until then where the server does not say its time', async () => {
    const { number, hash: own } = block
    const older = { _meta: { block: { number, hash: own }, hasIndexingErrors: false } }
    const { subgraph, asked } = client([older, { s0: [{ id: '0x01', timestamp: '1699999000' }] }], false)
    expect((await readHead(subgraph)).timestampSeconds).toBe(1_699_999_000)
    expect(asked[0]).not.toContain('timestamp')
    expect(asked[1]).toContain('transactions(first: 1, orderBy: timestamp, orderDirection: desc, where: {}, block: {number: 7})')
  })

  it('is as old as the newest transaction where the server knows the field and leaves it empty', async () => {
    const { subgraph } = client([meta({ timestamp: null }), { s0: [{ id: '0x01', timestamp: 5 }] }])
    expect((await readHead(subgraph)).timestampSeconds).toBe(5)
  })

  it('may be of the second 0, which is a time', async () => {
    const { subgraph, asked } = client([meta({ timestamp: 0 })])
    expect([(await readHead(subgraph)).timestampSeconds, asked.length]).toEqual([0, 1])
  })

  it('is not taken from a subgraph without a transaction that says when', async () => {
    const { subgraph } = client([meta({ timestamp: null }), { s0: [] }])
    await expect(readHead(subgraph)).rejects.toMatchObject({ code: 'upstream-invalid', retryable: true })
  })

  it('is refused from a subgraph that met an error of its own, whatever else it says', async () => {
    const { subgraph } = client([meta({}, true)])
    await expect(readHead(subgraph)).rejects.toMatchObject({ code: 'upstream-refused', retryable: true })
  })

  it.each([{}, { _meta: null }, meta({ number: 1.5 }), meta({ hash: 'abc' }), meta({ hash: undefined })])(
    'is not taken from %j',
    async (answer) => {
      const { subgraph } = client([answer])
      await expect(readHead(subgraph)).rejects.toMatchObject({
        ...{ code: 'upstream-invalid', message: 'The subgraph does not report its block', retryable: true },
      })
    },
  )
})

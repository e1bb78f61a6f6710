import { describe, expect, it } from 'vitest'
import { NodeError } from './callNode.ts'
import { followTransaction } from './followTransaction.ts'

const hashes = { own: `0x${'aa'.repeat(32)}`, other: `0x${'bb'.repeat(32)}` } as const
const from = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const call = { to: `0x${'11'.repeat(20)}`, data: '0x1234' } as const

type Mined = { hash: string; to: string; input: string; value: string }
/** What the node knows at one look at it. */
type Look = { pool?: 'own' | 'other'; block?: { number: number; by: Mined; status?: string }; fails?: true }

/** A chain at height 10 whose node answers by a story, a look for each receipt that is asked for; the last one stays. */
function follow(story: readonly Look[]) {
  let looks = -1
  let calls = 0
  let ms = 0
  const read = (method: string, params: readonly unknown[]): unknown => {
    if (method === 'eth_getTransactionReceipt') looks += 1
    const { pool, block, fails } = story[Math.min(looks, story.length - 1)] ?? {}
    if (fails) throw new NodeError('no answer')
    const [hash, tag] = params
    switch (method) {
      case 'eth_getTransactionReceipt':
        return block?.by.hash === hash
          ? { transactionHash: hash, status: block?.status ?? '0x1', blockNumber: '0xc', logs: [] }
          : null
      case 'eth_getTransactionByHash':
        return (pool && hashes[pool] === hash) || block?.by.hash === hash ? { nonce: '0x7' } : null
      case 'eth_getTransactionCount':
        return block || (pool && tag === 'pending') ? '0x8' : '0x7'
      case 'eth_blockNumber':
        return `0x${(block?.number ?? 10).toString(16)}`
      default: {
        const mined = Number(hash) === block?.number ? [{ ...block?.by, from: from.toLowerCase(), nonce: '0x7' }] : []
        return { transactions: [{ from: call.to, to: from, nonce: '0x7', input: '0x', value: '0x0', hash: '0x0' }, ...mined] }
      }
    }
  }
  const sped: string[] = []
  const outcome = followTransaction(
    {
      call: async (method, params) => {
        calls += 1
        return read(method, params)
      },
      wait: async (waitMs) => {
        ms += waitMs
      },
      nowMs: () => ms,
    },
    { hash: hashes.own, from, call, nonce: 7, sinceBlock: 10 },
    (hash) => sped.push(hash),
  )
  return outcome.then((end) => ({ kind: end.kind, sped, seconds: Math.round(ms / 1000), calls }))
}

const mined = (by: Partial<Mined>, status?: string) => ({
  number: 12,
  by: { hash: hashes.own as string, to: call.to as string, input: call.data as string, value: '0x0', ...by },
  ...(status && { status }),
})

describe('a transaction', () => {
  it('is followed until it is mined, through the silence of the node', async () => {
    const story: Look[] = [{}, { pool: 'own' }, { fails: true }, { pool: 'own' }, { block: mined({}) }]
    expect(await follow(story)).toMatchObject({ kind: 'mined', sped: [], seconds: 2 })
  })

  it('costs two calls a look while the node knows it: a minute of it is half of what an address may ask', async () => {
    const minute: Look[] = Array(150).fill({ pool: 'own' })
    expect(await follow([...minute, { block: mined({}) }])).toMatchObject({ seconds: 60, calls: 301 })
  })

  it('may be mined without having done anything', async () => {
    expect(await follow([{ block: mined({}, '0x0') }])).toMatchObject({ kind: 'reverted' })
  })

  it('that the wallet speeds up is followed under its new hash', async () => {
    const story: Look[] = [
      { pool: 'own' },
      { pool: 'other' },
      { block: mined({ hash: hashes.other, to: call.to.toUpperCase() }) },
    ]
    expect(await follow(story)).toMatchObject({ kind: 'mined', sped: [hashes.other] })
  })

  it('is cancelled by a payment of nothing to oneself', async () => {
    const block = mined({ hash: hashes.other, to: from, input: '0x' })
    expect(await follow([{ pool: 'own' }, { block }])).toMatchObject({ kind: 'cancelled', sped: [] })
  })

  it('is replaced by whatever else has its number', async () => {
    for (const by of [{ to: from, input: '0x', value: '0x1' }, { input: '0x99' }, { to: `0x${'22'.repeat(20)}` }])
      expect(await follow([{ block: mined({ hash: hashes.other, ...by }) }])).toMatchObject({ kind: 'replaced' })
  })

  it('is dropped when the network has not known it for ten seconds, but not while another one waits in its place', async () => {
    expect(await follow([{ pool: 'own' }, {}])).toMatchObject({ kind: 'dropped', sped: [], seconds: 10 })
    const story: Look[] = [...Array.from({ length: 100 }, () => ({ pool: 'other' as const })), { block: mined({}) }]
    expect(await follow(story)).toMatchObject({ kind: 'mined', sped: [], seconds: 40 })
  })

  it('is not called dropped by a node that says nothing', async () => {
    const story: Look[] = [...Array.from({ length: 100 }, () => ({ fails: true as const })), {}, { block: mined({}) }]
    expect(await follow(story)).toMatchObject({ kind: 'mined' })
  })

  it('is lost sight of after an hour', async () => {
    expect(await follow([{ pool: 'own' }])).toMatchObject({ kind: 'lost', seconds: 3600 })
  })
})

import Fastify from 'fastify'
import { describe, expect, it } from 'vitest'
import type { FollowStatus } from '../indexer/followChain.ts'
import type { ListStatus } from '../market/liveList.ts'
import type { KeptSource } from '../market/pollSource.ts'
import { createMetrics, type MetricsDeps } from './metrics.ts'

const nowSeconds = 1_700_000_000
const word = `0x${'01'.repeat(32)}` as const

const follow: FollowStatus = {
  ...{ cursor: { number: 90, hash: word, timestampSeconds: nowSeconds - 30 }, head: 95, headAtSeconds: nowSeconds - 12 },
  ...{ longestGapSeconds: 12, contactAtMs: (nowSeconds - 4) * 1_000, trouble: undefined, complete: true, faults: 0 },
}
const list: ListStatus = {
  ...{ tokens: 16, takenAtMs: 0, refused: undefined, beingRead: [], readProgress: undefined, remote: undefined },
}
const source: KeptSource = {
  ...{ name: 'index', reading: undefined, readAtMs: (nowSeconds - 9) * 1_000, intervalMs: 0 },
  ...{ failingSinceMs: undefined, failure: undefined },
}

/** Metrics of a server in this state, and what they say of a figure: each of its lines without its name. */
function open(changes: Partial<MetricsDeps> = {}) {
  const metrics = createMetrics({
    ...{ followStatus: () => follow, nowSeconds: () => nowSeconds, sources: () => [source], creditsSpent: () => undefined },
    ...{ listStatus: () => list, operatorAlerts: () => ({ 'first-use': 0, 'new-address': 0, 'many-deletions': 0 }) },
    boosts: { expirations: () => new Map(), answeredAtMs: () => undefined, doubts: () => 0, repairs: () => 0 },
    ...changes,
  })
  const read = async (name: string) => {
    const lines = (await metrics.text()).split('\n')
    return lines.filter((line) => line.split(/[ {]/)[0] === name).map((line) => line.slice(name.length).trim())
  }
  return { metrics, read }
}

describe('a figure of the index', () => {
  it('is how far it is behind, in blocks and in seconds', async () => {
    const { read } = open()
    expect(await read('chainboard_index_lag_blocks')).toEqual(['5'])
    expect(await read('chainboard_index_block_age_seconds')).toEqual(['30'])
    expect(await read('chainboard_node_contact_age_seconds')).toEqual(['4'])
  })

  it('that there is not yet is no number, and not 0', async () => {
    const { read } = open({ followStatus: () => ({ ...follow, cursor: undefined, contactAtMs: undefined }) })
    expect(await read('chainboard_index_block')).toEqual(['Nan'])
    expect(await read('chainboard_index_block_age_seconds')).toEqual(['Nan'])
    expect(await read('chainboard_node_contact_age_seconds')).toEqual(['Nan'])
    expect(await read('chainboard_index_doubts')).toEqual(['Nan'])
    expect(await read('chainboard_cmc_credits_spent')).toEqual(['Nan'])
  })

  it('that was counted and found to be none is 0', async () => {
    const verification = {
      ...{ verifiedBlock: undefined, checkedAtMs: undefined, trouble: undefined, suspects: 0, wrongBlock: undefined },
      ...{ unsure: undefined, doubts: [], repairs: 0, unverifiable: 0, quirks: [] },
    }
    const { read } = open({ followStatus: () => ({ ...follow, verification }), creditsSpent: () => 0 })
    expect(await read('chainboard_index_doubts')).toEqual(['0'])
    expect(await read('chainboard_index_verified_block')).toEqual(['Nan'])
    expect(await read('chainboard_cmc_credits_spent')).toEqual(['0'])
  })

  it('is read when it is asked for', async () => {
    let head = 95
    const { read } = open({ followStatus: () => ({ ...follow, head }) })
    await read('chainboard_index_lag_blocks')
    head = 190
    expect(await read('chainboard_index_lag_blocks')).toEqual(['100'])
  })
})

it('the state of the server is 1 in one of its series, and 0 in the others', async () => {
  const { read } = open({
    followStatus: () => ({ ...follow, trouble: { kind: 'store', text: 'disk full', sinceMs: 0 } }),
  })
  const lines = await read('chainboard_state')
  expect(lines.filter((line) => line.endsWith(' 1'))).toEqual(['{state="storage-failing"} 1'])
  expect(lines.filter((line) => line.endsWith(' 0')).length).toBe(lines.length - 1)
  expect(lines).toContain('{state="live"} 0')
})

describe('sources', () => {
  it('have an age each, which one has not before its first answer, and say whether they fail', async () => {
    const failing: KeptSource = { ...source, name: 'coinmarketcap', readAtMs: undefined, failure: 'away' }
    const { read } = open({ sources: () => [source, failing] })
    expect(await read('chainboard_source_age_seconds')).toEqual(['{source="index"} 9', '{source="coinmarketcap"} Nan'])
    expect(await read('chainboard_source_failing')).toEqual(['{source="index"} 0', '{source="coinmarketcap"} 1'])
  })
})

describe('the token list', () => {
  const refused = { sinceMs: 0, problems: [{ field: 'tokens.0', found: 'nothing', wanted: 'an address' }] }
  const remote = { tokens: 0, answeredAtMs: undefined, refused, leftOut: [] }

  it('says whether the newest one was refused, and of a list of the web only where there is one', async () => {
    const { read } = open({ listStatus: () => ({ ...list, refused }) })
    expect(await read('chainboard_list_refused')).toEqual(['1'])
    expect(await read('chainboard_list_web_refused')).toEqual(['Nan'])
    const { read: readOther } = open({ listStatus: () => ({ ...list, remote }) })
    expect(await readOther('chainboard_list_refused')).toEqual(['0'])
    expect(await readOther('chainboard_list_web_refused')).toEqual(['1'])
  })
})

describe('a server of several', () => {
  const status = { leadsInEpoch: undefined, epoch: 3, sequence: 40, ageSeconds: 1.5, stateAgeSeconds: undefined }

  it('says whether it leads, and how old what it answers from is', async () => {
    const { read } = open({ servers: () => status })
    expect([await read('chainboard_leader'), await read('chainboard_leader_epoch')]).toEqual([['0'], ['3']])
    expect(await read('chainboard_board_age_seconds')).toEqual(['1.5'])
    expect(await read('chainboard_leader_state_age_seconds')).toEqual(['Nan'])
    expect(await open({ servers: () => ({ ...status, leadsInEpoch: 3 }) }).read('chainboard_leader')).toEqual(['1'])
  })

  it('alone has no such figures', async () => {
    expect(await open().read('chainboard_leader')).toEqual([])
  })
})

describe('boosts', () => {
  it('are as old as the last answer of the contract', async () => {
    const answeredAtMs = () => (nowSeconds - 20) * 1_000
    const boosts = { expirations: () => new Map([[word, 9]]), answeredAtMs, doubts: () => 2, repairs: () => 3 }
    const { read } = open({ boosts })
    expect(await read('chainboard_boosts')).toEqual(['1'])
    expect(await read('chainboard_boosts_age_seconds')).toEqual(['20'])
    expect(await read('chainboard_boosts_doubts')).toEqual(['2'])
    expect(await read('chainboard_boosts_repairs_total')).toEqual(['3'])
    expect(await open().read('chainboard_boosts_age_seconds')).toEqual(['Nan'])
  })
})

describe('counts', () => {
  it('of requests are by the pattern of their route: a caller cannot make series', async () => {
    const { metrics, read } = open()
    const app = Fastify()
    metrics.watch(app)
    app.get('/tokens/:address', async () => 'here')
    for (const path of ['/tokens/0x1', '/tokens/0x2', '/nowhere/1', '/nowhere/2']) await app.inject(path)
    await app.close()
    expect(await read('chainboard_http_request_seconds_count')).toEqual([
      '{method="GET",route="/tokens/:address",status="200"} 2',
      '{method="GET",route="none",status="404"} 2',
    ])
  })

  it('of requests that were refused are there before the first one', async () => {
    const { metrics, read } = open()
    const before = await read('chainboard_shed_requests_total')
    expect(before.length).toBeGreaterThan(1)
    expect(before.every((line) => line.endsWith(' 0'))).toBe(true)
    metrics.countShed('page')
    expect(await read('chainboard_shed_requests_total')).toContain('{class="page"} 1')
  })

  it('of alerts and of nodes are what there is now, not the sum of every look', async () => {
    const { metrics, read } = open({ operatorAlerts: () => ({ 'first-use': 2, 'new-address': 0, 'many-deletions': 0 }) })
    metrics.watchNodes(() => [{ place: 1, outcome: 'failed', count: 7 }])
    for (let time = 0; time < 2; time += 1) {
      expect(await read('chainboard_operator_alerts_total')).toContain('{alert="first-use"} 2')
      expect(await read('chainboard_node_calls_total')).toEqual(['{node="1",outcome="failed"} 7'])
    }
  })

  it('of one server are not those of another in the same process', async () => {
    const [first, second] = [open(), open()]
    first.metrics.countPage('drawn')
    expect(await first.read('chainboard_pages_drawn_total')).toEqual(['{outcome="drawn"} 1'])
    expect(await second.read('chainboard_pages_drawn_total')).toEqual([])
    expect((await first.read('process_start_time_seconds')).length).toBe(1)
  })
})

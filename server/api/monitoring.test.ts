import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { FakeChain } from '../chain/fakeChain.ts'
import { type Server, startServer } from '../startServer.ts'
import { openMarket } from '../testing/market.ts'
import { createTempStores } from '../testing/tempStores.ts'
import { testConfig } from '../testing/testConfig.ts'

const root = resolve(import.meta.dirname, '../..')
const read = (path: string) => readFileSync(join(root, path), 'utf8')
const [alerts, dashboard] = [read('deploy/prometheus/alerts.yml'), read('deploy/grafana-dashboard.json')]
const metricNames = /\b(?:chainboard|process|nodejs)_[a-z0-9_]+/g

describe('what we ship for monitoring', () => {
  const stores = createTempStores()
  let server: Server
  beforeAll(async () => {
    const chain = new FakeChain()
    openMarket(chain)
    server = await startServer(testConfig({ store: await stores.locate('sqlite') }), chain)
  })
  afterAll(() => server.close())

  it('names only metrics that there are', async () => {
    const { body } = await server.app.inject('/metrics')
    const told = [...body.matchAll(/^# TYPE (\S+) (\S+)$/gm)].flatMap(([, name, type]) =>
      type === 'histogram' ? [`${name}_bucket`, `${name}_count`, `${name}_sum`] : [`${name}`],
    )
    // The port of the probes adds the heartbeat; the others are there where servers share a database.
    const ofServers = read('server/api/metrics.ts').match(/\bchainboard_(?:leader|board)_?\w*/g) ?? []
    expect(ofServers).toHaveLength(5)
    const known = new Set([...told, 'chainboard_heartbeat_age_seconds', ...ofServers])
    const rules = [...alerts.matchAll(/expr: (>-\n(?: {10}.+\n)+|.+$)/gm)].flatMap(([, expr]) => expr?.match(metricNames) ?? [])
    const panels = dashboard.match(metricNames) ?? []
    expect(rules.length).toBeGreaterThan(20)
    expect(panels.length).toBeGreaterThan(25)
    expect([...rules, ...panels].filter((name) => !known.has(name))).toEqual([])
  })

  it('shows the state that /api/status says, and no other', async () => {
    const { state } = (await server.app.inject('/api/status')).json()
    const { body } = await server.app.inject('/metrics')
    const set = [...body.matchAll(/^chainboard_state\{state="([^"]+)"\} 1$/gm)].map(([, name]) => name)
    expect(set).toEqual([state])
  })
})

it('the dashboard covers page, API, index, nodes, database, money and several servers', () => {
  const { panels } = JSON.parse(dashboard) as { panels: { type: string; title: string; targets?: object[] }[] }
  expect(panels.flatMap(({ type, title }) => (type === 'row' ? [title] : []))).toEqual([
    ...['Page', 'API', 'Index', 'Nodes', 'Database and process', 'Money', 'Servers'],
  ])
  expect(panels.filter(({ type, targets }) => type !== 'row' && !targets?.length)).toEqual([])
})

it('every alert has a runbook, and names it', () => {
  const runbooks = read('docs/operations/alerts.md')
  const names = [...alerts.matchAll(/alert: (\w+)/g)].map(([, name]) => name)
  expect(names.length).toBe(23)
  expect(names.filter((name) => !runbooks.includes(`\n## ${name}\n`))).toEqual([])
  const linked = [...alerts.matchAll(/runbook: "docs\/operations\/alerts\.md#(\w+)"/g)].map(([, anchor]) => anchor)
  expect(linked).toEqual(names.map((name) => name?.toLowerCase()))
})

it.skipIf(spawnSync('promtool', ['--version']).status !== 0)(
  'every alert comes when it should, with its text (skipped where promtool is not installed)',
  () => {
    const { status, stdout, stderr } = spawnSync('promtool', ['test', 'rules', join(root, 'deploy/prometheus/alerts.test.yml')], {
      encoding: 'utf8',
    })
    expect([status, `${stdout}${stderr}`]).toEqual([0, expect.stringContaining('SUCCESS')])
    const names = [...alerts.matchAll(/alert: (\w+)/g)].map(([, name]) => name)
    const tested = new Set([...read('deploy/prometheus/alerts.test.yml').matchAll(/alertname: (\w+)/g)].map(([, name]) => name))
    expect(names.filter((name) => !tested.has(name))).toEqual([])
  },
)

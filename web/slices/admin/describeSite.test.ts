import type { WireSiteState } from '@chainboard/contract'
import { expect, test } from 'vitest'
import { describeSite, formatBytes } from './describeSite.ts'

const state: WireSiteState = {
  now: 10_000,
  alerts: [],
  index: {
    ...{ block: 1_234, blockTime: 9_998, secondsSinceContact: 1, lagBlocks: 1, state: 'live', reason: null, progress: null },
    ...{ completeSince: null, swapsKeptSince: null, hoursKeptSince: null },
  },
  nodes: [
    { host: 'one.example', answered: 9_000, failed: 0, outrun: 0 },
    { host: 'two.example', answered: 1, failed: 3, outrun: 0 },
  ],
  sources: [
    { name: 'index', answeredAt: 9_999, failingSince: null, failure: null },
    { name: 'feeds', answeredAt: null, failingSince: 9_400, failure: 'no answer' },
  ],
  list: { tokens: 84, takenAt: 6_400, refused: null, beingRead: null, web: null },
  storage: { engine: 'postgres', bytes: 1_503_238_553, freeBytes: null },
  server: { version: '0.1.0', nodeVersion: 'v24.21.0', startedAt: 2_800, memoryBytes: 209_715_200 },
}

const linesOf = (changes: Partial<WireSiteState> = {}) =>
  describeSite({ ...state, ...changes }).map(({ title, facts }) => [
    title,
    ...facts.map(({ term, text, note, bad }) => `${term}: ${[text, note].filter(Boolean).join(', ')}${bad ? ' !' : ''}`),
  ])

test('the state of a site reads in groups, with a mark where somebody is needed', () => {
  expect(linesOf()).toEqual([
    ['Index', 'State: Live', 'Block: 1,234, 2s ago', 'Behind: 1 block', 'Node answered: 1s ago'],
    ['Nodes', 'one.example: 9,000 calls', 'two.example: 1 calls, 3 failed !'],
    ['Price sources', 'index: Read 1s ago', 'feeds: Failing, since 10m ago !'],
    ['Token list', 'Tokens: 84', 'Files: In use since 1h ago'],
    ['Storage', 'Database: PostgreSQL', 'Size: 1.4 GB', 'Free on the disk: Unknown'],
    ['Server', 'Version: 0.1.0', 'Node.js: 24.21.0', 'Started: 2h ago', 'Memory: 200 MB'],
  ])
})

test('a chain that has stopped and lists that were refused stand out', () => {
  const refused = { since: 1, count: 2, problems: [] }
  const web = { tokens: 5, answeredAt: null, refused, leftOut: { count: 0, problems: [] } }
  const lines = linesOf({ index: { ...state.index, state: 'stalled' }, list: { ...state.list, refused, web } })
  expect(lines[0]?.[1]).toBe('State: Stalled !')
  expect(lines[3]?.slice(2)).toEqual(['Files: Refused, 2 problems !', 'From the URL: Refused, 2 problems !'])
})

test.each([
  [0, '0 B'],
  [1_023, '1023 B'],
  [1_536, '1.5 KB'],
  [5 * 1024 ** 4, '5.0 TB'],
])('%d bytes are %s', (bytes, text) => {
  expect(formatBytes(bytes)).toBe(text)
})

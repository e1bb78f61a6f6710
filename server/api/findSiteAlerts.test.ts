import { expect, it } from 'vitest'
import type { AdminAct } from '../operators/createOperators.ts'
import { findSiteAlerts } from './findSiteAlerts.ts'

const gb = 1024 ** 3
const calm: Parameters<typeof findSiteAlerts>[0] = {
  index: {
    ...{ block: 9, blockTime: 1_000, secondsSinceContact: 1, lagBlocks: 0, state: 'live', reason: null, progress: null },
    ...{ completeSince: null, swapsKeptSince: null, hoursKeptSince: null },
  },
  sources: [{ name: 'index', answeredAt: 1_000, failingSince: null, failure: null }],
  list: { tokens: 3, takenAt: 1, refused: null, beingRead: null, web: null },
  storage: { engine: 'sqlite', bytes: gb, freeBytes: 10 * gb },
  unusualActs: [],
}
const textsOf = (changes: Partial<typeof calm>) =>
  findSiteAlerts({ ...calm, ...changes }).map(({ level, text, since }) => [level, text, since])

it('says nothing while all is well, or the history is being read', () => {
  expect(textsOf({})).toEqual([])
  expect(textsOf({ index: { ...calm.index, state: 'syncing' } })).toEqual([])
  expect(textsOf({ storage: { engine: 'postgres', bytes: null, freeBytes: null } })).toEqual([])
})

it('tells what needs somebody, the worst first', () => {
  const problem = { field: 'assets.json.0', found: '"x"', wanted: 'an address' }
  const refused = { since: 5, count: 1, problems: [problem] }
  expect(
    textsOf({
      index: { ...calm.index, state: 'stalled', reason: 'The newest block is from 5 minutes ago' },
      sources: [{ name: 'cmcDex', answeredAt: null, failingSince: 7, failure: 'The answer took too long' }],
      list: { ...calm.list, refused, web: { tokens: 1, answeredAt: null, refused, leftOut: { count: 0, problems: [] } } },
      storage: { ...calm.storage, freeBytes: 10 * gb - 1 },
    }),
  ).toEqual([
    ['critical', 'The newest block is from 5 minutes ago', 1_000],
    ['warning', 'The disk of the data folder has 10.0 GB left', null],
    ['warning', 'The price source cmcDex fails: The answer took too long', 7],
    ['warning', 'The token list of the files was refused: assets.json.0: found "x", expected an address', 5],
    ['warning', 'The token list from the URL was refused: assets.json.0: found "x", expected an address', 5],
  ])
  expect(textsOf({ storage: { ...calm.storage, freeBytes: 2 * gb - 1 } })[0]?.[0]).toBe('critical')
})

it('names the operator and the entry of what was unusual', () => {
  const act: AdminAct = {
    ...{ id: 'a', atSeconds: 9, wallet: `0x${'ad'.repeat(20)}`, role: 'owner', via: 'session', act: 'delete', keyId: 'k' },
    ...{ from: {}, to: {}, alerts: ['new-address', 'many-deletions'], chain: { seq: 12, hash: '' } },
  }
  expect(textsOf({ unusualActs: [act] })).toEqual([
    ['critical', 'The owner 0xadad…adad deleted several keys within minutes (entry 12)', 9],
    ['warning', 'The owner 0xadad…adad acted from a new address (entry 12)', 9],
  ])
})

import type { Address, OperatorRole } from '@chainboard/core'
import { describe, expect, it } from 'vitest'
import { listAdminActs } from '../store/adminActs.ts'
import type { Store } from '../store/store.ts'
import { createTempStores, engines } from '../testing/tempStores.ts'
import { createActs, type Entry } from './createActs.ts'
import { createOperators } from './createOperators.ts'
import type { Operator } from './operator.ts'
import { sweepOperators } from './sweepOperators.ts'

const stores = createTempStores()
const minute = 60_000
const wallet: Address = `0x${'ad'.repeat(20)}`

function open(store: Store) {
  const clock = { ms: Date.UTC(2026, 10, 21, 12) }
  const nowMs = () => clock.ms
  const roles = new Map<Address, OperatorRole>([[wallet, 'owner']])
  const entries: Entry[] = []
  const act = createActs({
    store,
    hashAct: (text) => `hash of ${text.length}`,
    hashClient: (client) => `hash of ${client}`,
    onEntry: (entry) => entries.push(entry),
    nowMs,
  })
  let messages = 0
  const judge = async () => {
    messages += 1
    return { wallet, digest: `message ${messages}`, expiresAtSeconds: clock.ms / 1000 + 300 }
  }
  const operators = createOperators({ store, roles, act, judge, nowMs })
  const none = { walletAddress: '', signature: '', message: '' }
  const begin = async () => {
    const { token, session } = await operators.openSession(none, { client: '192.0.2.1', agent: 'x'.repeat(500) })
    const use = () =>
      operators
        .admit({ proof: none, session: { id: session.id, token }, client: '192.0.2.1' }, 'viewer')
        .then(({ role }) => role)
        .catch((error: { code: string }) => error.code)
    return { session, use }
  }
  const by: Operator = { wallet, role: 'owner', pass: { kind: 'session', id: 's' }, client: '192.0.2.1' }
  return { clock, roles, entries, act, operators, begin, by }
}

describe.each(engines)('a session on %s', (engine) => {
  it('ends 30 minutes after its last use, and 24 hours after it began', async () => {
    const { clock, begin } = open(await stores.openNew(engine))
    const { use } = await begin()
    clock.ms += 29 * minute
    expect(await use()).toBe('owner')
    clock.ms += 29 * minute
    expect(await use()).toBe('owner')
    clock.ms += 30 * minute
    expect(await use()).toBe('not-signed-in')
    const second = await begin()
    for (let i = 0; i < 71; i += 1) {
      clock.ms += 20 * minute
      expect(await second.use()).toBe('owner')
    }
    clock.ms += 20 * minute
    expect(await second.use()).toBe('not-signed-in')
  })

  it('has the role that its operator has now, and none without one', async () => {
    const { roles, begin, operators, by } = open(await stores.openNew(engine))
    const { session, use } = await begin()
    expect(session.agent).toHaveLength(200)
    roles.set(wallet, 'viewer')
    expect(await use()).toBe('viewer')
    roles.delete(wallet)
    expect(await use()).toBe('not-signed-in')
    expect(await operators.listSessions(by)).toEqual([])
  })

  it('is one of ten: the oldest ends for the eleventh, and what has ended is swept', async () => {
    const store = await stores.openNew(engine)
    const { clock, begin } = open(store)
    const sessions = []
    for (let i = 0; i < 11; i += 1) {
      clock.ms += 1_000
      sessions.push(await begin())
    }
    expect(await sessions[0]?.use()).toBe('not-signed-in')
    expect(await sessions[1]?.use()).toBe('owner')
    clock.ms += 31 * minute
    await sweepOperators({ store, nowMs: () => clock.ms })
    expect(await store.read.selectFrom('admin_sessions').select('id').execute()).toEqual([])
  })
})

describe.each(engines)('what is unusual on %s', (engine) => {
  const open1 = async () => open(await stores.openNew(engine))
  const alertsOf = (entries: readonly Entry[]) => entries.map(({ alerts }) => alerts.join())

  it('is a role or an address for the first time, and once', async () => {
    const { act, by, entries } = await open1()
    const log = (who: Operator) => act(who, (_, record) => record({ act: 'login' }))
    await log(by)
    await log(by)
    await log({ ...by, client: '192.0.2.2' })
    await log({ ...by, client: '192.0.2.2' })
    await log({ ...by, role: 'viewer' })
    expect(alertsOf(entries)).toEqual(['first-use', '', 'new-address', '', 'first-use'])
  })

  it('is the fifth deletion within ten minutes, not five in an hour', async () => {
    const { act, by, entries, clock } = await open1()
    const remove = () => act(by, (_, record) => record({ act: 'delete', keyId: 'k' }))
    for (let i = 0; i < 6; i += 1) await remove()
    expect(alertsOf(entries)).toEqual(['first-use', '', '', '', 'many-deletions', 'many-deletions'])
    entries.length = 0
    for (let i = 0; i < 6; i += 1) {
      clock.ms += 12 * minute
      await remove()
    }
    expect(alertsOf(entries)).toEqual(['', '', '', '', '', ''])
  })

  it('does not report what did not happen', async () => {
    const store = await stores.openNew(engine)
    const { act, by, entries } = open(store)
    const failing = act(by, async (_, record) => {
      await record({ act: 'delete', keyId: 'k' })
      throw new Error('no')
    })
    await expect(failing).rejects.toThrow('no')
    expect(entries).toEqual([])
    expect(await listAdminActs(store.read, 9)).toEqual([])
  })
})

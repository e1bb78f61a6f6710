import { randomBytes } from 'node:crypto'
import type { OperatorAlert } from '@chainboard/core'
import { appendAdminAct, type NewAdminAct } from '../store/adminActs.ts'
import type { Store, Tx } from '../store/store.ts'
import { findAlerts } from './findAlerts.ts'
import type { Operator } from './operator.ts'

/** An entry of the audit log, by which its end can be recognized elsewhere. */
export type Entry = { readonly seq: number; readonly hash: string; readonly alerts: readonly OperatorAlert[] }

/** What was done, for the audit log. */
export type Done = Pick<NewAdminAct, 'act'> & Partial<Pick<NewAdminAct, 'keyId' | 'from' | 'to'>>

/**
 * Does something in the name of an operator, in one transaction with its entries in the audit log. `record` comes last in it: the log
 * is written by one transaction at a time.
 */
export type Act = <T>(by: Operator, work: (tx: Tx, record: (done: Done) => Promise<void>) => Promise<T>) => Promise<T>

export type ActParts = {
  readonly store: Pick<Store, 'write'>
  /** A hash that nobody can work out without a secret: 64 hexadecimal digits. */
  readonly hashAct: (text: string) => string
  /** The same of an address. */
  readonly hashClient: (client: string) => string
  /** Told after the transaction. */
  readonly onEntry: (entry: Entry) => void
  readonly nowMs: () => number
}

/** The way in which everything is done that operators do. */
export function createActs({ store, hashAct, hashClient, onEntry, nowMs }: ActParts): Act {
  const makeId = createActIds()
  return async (by, work) => {
    const entries: Entry[] = []
    const result = await store.write(async (tx) => {
      entries.length = 0
      return work(tx, async ({ act, keyId, from = {}, to = {} }) => {
        const nowSeconds = Math.floor(nowMs() / 1000)
        const alerts = await findAlerts(tx, by, act, { hashClient, nowSeconds })
        const { wallet, role, pass } = by
        const done = { id: makeId(nowMs()), atSeconds: nowSeconds, wallet, role, via: pass.kind, act, keyId, from, to, alerts }
        entries.push({ ...(await appendAdminAct(tx, done, hashAct)), alerts })
      })
    })
    for (const entry of entries) onEntry(entry)
    return result
  }
}

/** Ids that sort by time, also within a millisecond of this server. */
function createActIds(): (nowMs: number) => string {
  let lastMs = 0
  let countInMs = 0
  return (nowMs) => {
    countInMs = nowMs === lastMs ? countInMs + 1 : 0
    lastMs = nowMs
    return nowMs.toString(36).padStart(9, '0') + countInMs.toString(36).padStart(3, '0') + randomBytes(4).toString('hex')
  }
}

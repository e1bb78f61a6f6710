import type { OperatorAlert } from '@chainboard/core'
import type { Entry } from './createActs.ts'

/** Since the start. */
export type AlertCounts = Readonly<Record<OperatorAlert, number>>

const texts: Readonly<Record<OperatorAlert, string>> = {
  'first-use': 'An operator acts in a role for the first time',
  'new-address': 'An operator acts from a new address',
  'many-deletions': 'An operator deleted several keys within minutes',
}

type Log = Readonly<Record<'info' | 'warn', (facts: object, text: string) => void>>

/**
 * Tells of what operators do: of each entry its place and hash, by which a log that is kept elsewhere proves the end of the audit log,
 * and of what is unusual. Who it was is in the audit log alone.
 */
export function createAlertLog(log: Log) {
  const counts: Record<OperatorAlert, number> = { 'first-use': 0, 'new-address': 0, 'many-deletions': 0 }
  return {
    note: ({ seq, hash, alerts }: Entry): void => {
      log.info({ entry: seq, hash }, 'The audit log has a new entry')
      for (const alert of alerts) {
        counts[alert] += 1
        log.warn({ alert, entry: seq }, `${texts[alert]}: see entry ${seq} of the audit log`)
      }
    },
    counts: (): AlertCounts => counts,
  }
}

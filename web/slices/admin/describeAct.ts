import type { WireAdminAct } from '@chainboard/contract'
import { formatDate, shortenAddress, toDisplayText } from '@chainboard/core'

const verbs: Readonly<Record<WireAdminAct['act'], string>> = {
  login: 'Logged in',
  logout: 'Logged out',
  'end-session': 'Ended a session',
  create: 'Created',
  update: 'Changed',
  delete: 'Deleted',
  'ask-deletion': 'Requested deletion',
  'withdraw-deletion': 'Kept',
  'reload-list': 'Reloaded the token list',
  'edit-featured': 'Changed',
}

/** What is unusual about an act. */
export const alertTexts: Readonly<Record<WireAdminAct['alerts'][number], string>> = {
  'first-use': 'First time in this role',
  'new-address': 'New address',
  'many-deletions': 'Many deletions',
}

const names: Readonly<Record<string, string>> = {
  requestsPerDay: 'daily limit',
  expiresAt: 'expires',
  txHash: 'transaction',
  askedBy: 'asked by',
}

type Facts = WireAdminAct['to']

/** As much of a session's id as tells it from others. */
const idLength = 8

function toText(name: string, value: Facts[string] | undefined): string {
  if (value === null || value === undefined) return name === 'expiresAt' ? 'never' : 'none'
  if (typeof value === 'number') return value.toLocaleString('en-US')
  if (name === 'expiresAt') return formatDate(Date.parse(value) / 1000)
  if (value === '') return 'none'
  if (name === 'session') return value.slice(0, idLength)
  return /^0x[0-9a-fA-F]{40,64}$/.test(value) ? shortenAddress(value) : toDisplayText(value, 'none', 120)
}

/** What was done, in two parts: `Changed` and `status active → paused`. */
export function describeAct({ act, from, to }: Pick<WireAdminAct, 'act' | 'from' | 'to'>): {
  readonly verb: string
  readonly facts: string
} {
  const told = act === 'edit-featured' || act === 'update' || act === 'create' || act === 'login' ? to : { ...from, ...to }
  const facts = Object.entries(told).map(([name, value]) => {
    const title = names[name] ?? name
    const now = toText(name, value)
    return act === 'update' || act === 'edit-featured' ? `${title} ${toText(name, from[name])} → ${now}` : `${title} ${now}`
  })
  return { verb: verbs[act], facts: facts.join(', ') }
}

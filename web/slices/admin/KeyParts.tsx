import type { WireApiKey, WireKeyStatus } from '@chainboard/contract'
import { shortenAddress, toDisplayText } from '@chainboard/core'
import { fillTemplate } from '../../lib/urls.ts'
import { outlinedControl } from '../../ui/buttonStyles.ts'
import { describeOwner, describePayment, statusTexts } from './describeKey.ts'

type NameProps = {
  readonly apiKey: WireApiKey
  /** Of a transaction in the explorer, with `{hash}`. */
  readonly txUrl: string | undefined
  /** Hashes of payments that more than one key names. */
  readonly sharedPayments: ReadonlySet<string>
}

/** Whose key it is, its mask, its note, and what the chain says of its payment. */
export function KeyName({ apiKey, txUrl, sharedPayments }: NameProps) {
  const { id, note, txHash, payment, wallet, email, deletion } = apiKey
  const link = txHash && txUrl ? fillTemplate(txUrl, txHash) : undefined
  return (
    <div className="min-w-0">
      <p className="truncate text-14 font-strong" title={email || (wallet ?? undefined)}>
        <bdi>{describeOwner(apiKey)}</bdi>
      </p>
      <p className="font-mono text-12 text-ink-2">{id}</p>
      {note && (
        <p className="mt-1 line-clamp-2 text-12 text-ink-2 wrap-anywhere" title={note}>
          <bdi>{toDisplayText(note, '', 500)}</bdi>
        </p>
      )}
      {deletion && (
        <p className="mt-1 text-12 text-warn">
          Deletion requested by {shortenAddress(deletion.wallet)}, waiting for another owner
        </p>
      )}
      {txHash && (
        <p className={`figures mt-1 text-12 wrap-anywhere ${payment?.status === 'found' ? 'text-ink-2' : 'text-warn'}`}>
          {link ? (
            <a href={link} target="_blank" rel="noopener noreferrer" className="underline underline-offset-4">
              Payment
            </a>
          ) : (
            'Payment'
          )}
          : {payment ? describePayment(payment) : 'not checked'}
          {sharedPayments.has(txHash) && <span className="block text-warn">Another key names the same payment</span>}
        </p>
      )}
    </div>
  )
}

const looks: Readonly<Record<WireKeyStatus, string>> = { active: 'text-up', paused: 'text-warn', expired: 'text-down' }

/** A word with a mark that differs in shape, not in hue alone. */
export function KeyStatus({ status }: { readonly status: WireKeyStatus }) {
  return (
    <span className={`inline-flex items-center gap-1.5 text-13 font-strong ${looks[status]}`}>
      <svg aria-hidden="true" width="8" height="8" viewBox="0 0 8 8" className="shrink-0">
        <path d={marks[status]} fill="currentColor" />
      </svg>
      {statusTexts[status]}
    </span>
  )
}

const marks: Readonly<Record<WireKeyStatus, string>> = {
  active: 'M4 0a4 4 0 1 0 0 8 4 4 0 0 0 0-8Z',
  paused: 'M1 0h2v8H1zM5 0h2v8H5z',
  expired: 'M1 0 4 3 7 0 8 1 5 4 8 7 7 8 4 5 1 8 0 7 3 4 0 1z',
}

/** What of the day's limit is used, as figures and as a thin bar. */
export function KeyUsage({ usageToday, requestsPerDay }: Pick<WireApiKey, 'usageToday' | 'requestsPerDay'>) {
  const share = Math.min(100, (usageToday / requestsPerDay) * 100)
  return (
    <span className="figures block text-13">
      <span className={share >= 100 ? 'font-strong text-warn' : 'font-strong text-ink'}>
        {usageToday.toLocaleString('en-US')}
      </span>
      <span className="text-ink-2"> / {requestsPerDay.toLocaleString('en-US')}</span>
      <span aria-hidden="true" className="mt-1.5 block h-1 desk:max-w-32 overflow-hidden rounded-full bg-surface-3">
        <span style={{ width: `${share}%` }} className={`block h-full rounded-full ${share >= 100 ? 'bg-warn' : 'bg-ink-2'}`} />
      </span>
    </span>
  )
}

/** What can be done with a key. */
export type KeyOpeners = {
  readonly onEdit: (key: WireApiKey) => void
  readonly onToggle: (key: WireApiKey) => void
  readonly onDelete: (key: WireApiKey) => void
  /** What the operator's role lets: the rest is not offered. */
  readonly may: { readonly change: boolean; readonly remove: boolean }
}

type ActionsProps = {
  readonly apiKey: WireApiKey
  readonly openers: KeyOpeners
  /** Record id of the key that is being paused or resumed. */
  readonly busyId: string | undefined
}

/** Edit, pause or resume, delete. */
export function KeyActions({ apiKey, openers, busyId }: ActionsProps) {
  const owner = <span className="sr-only"> {`${describeOwner(apiKey)}, ${apiKey.id}`}</span>
  const control = `${outlinedControl} h-8 px-2.5! touch:h-11 disabled:opacity-50`
  const paused = apiKey.status !== 'active'
  return (
    <div className="flex gap-1.5 max-desk:*:flex-1 desk:justify-end">
      {openers.may.change && (
        <>
          <button type="button" onClick={() => openers.onEdit(apiKey)} className={control}>
            Edit
            {owner}
          </button>
          <button
            type="button"
            aria-busy={busyId === apiKey.fullId}
            onClick={() => openers.onToggle(apiKey)}
            className={`${control} min-w-19`}
          >
            {paused ? 'Resume' : 'Pause'}
            {owner}
          </button>
        </>
      )}
      {openers.may.remove && (
        <button type="button" onClick={() => openers.onDelete(apiKey)} className={`${control} text-down! hover:border-down`}>
          Delete
          {owner}
        </button>
      )}
    </div>
  )
}

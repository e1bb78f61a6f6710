import type { WireApiKey } from '@chainboard/contract'
import { toDisplayText } from '@chainboard/core'
import { fillTemplate } from '../../lib/urls.ts'
import { describeOwner, describePayment } from './describeKey.ts'

type Props = {
  readonly apiKey: WireApiKey
  /** Of a transaction in the explorer, with `{hash}`. */
  readonly txUrl: string | undefined
  /** Hashes of payments that more than one key names. */
  readonly sharedPayments: ReadonlySet<string>
}

/** Whose key it is, its mask, its note, and what the chain says of its payment. */
export function KeyName({ apiKey, txUrl, sharedPayments }: Props) {
  const { id, note, txHash, payment, wallet, email } = apiKey
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

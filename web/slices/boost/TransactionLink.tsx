import type { WireConfig } from '@chainboard/contract'
import { shortenAddress } from '@chainboard/core'
import { fillTemplate } from '../../lib/urls.ts'
import { Icon } from '../../ui/Icon.tsx'

type Props = { readonly hash: string; readonly explorer: WireConfig['explorer'] }

/** A transaction by its shortened hash, with the way to look at it where the chain has an explorer. */
export function TransactionLink({ hash, explorer }: Props) {
  const url = explorer ? fillTemplate(explorer.txUrl, hash) : undefined
  const text = (
    <span className="font-mono text-12 underline decoration-line-strong underline-offset-4">{shortenAddress(hash)}</span>
  )
  if (!url) return <span title={hash}>Transaction {text}</span>
  return (
    <a
      href={url}
      target="_blank"
      rel="noopener noreferrer"
      title={hash}
      className="inline-flex min-h-6 items-center gap-1.5 rounded-6 transition-colors duration-120 hover:text-ink touch:min-h-11"
    >
      Transaction {text}
      <Icon name="out" size={14} />
    </a>
  )
}

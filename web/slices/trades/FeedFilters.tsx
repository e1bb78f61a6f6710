import { parseAddress, shortenAddress } from '@chainboard/core'
import { type FormEvent, useState } from 'react'
import { outlinedControl } from '../../ui/buttonStyles.ts'
import { Icon } from '../../ui/Icon.tsx'
import { Segmented } from '../../ui/Segmented.tsx'
import { SelectField } from '../../ui/SelectField.tsx'
import type { FeedView } from './feedView.ts'

const sides = [
  { value: 'all', text: 'All' },
  { value: 'buy', text: 'Buys' },
  { value: 'sell', text: 'Sells' },
] as const

const sizes = [
  { value: '0', text: 'Any size' },
  { value: '100', text: 'Over $100' },
  { value: '1000', text: 'Over $1K' },
  { value: '10000', text: 'Over $10K' },
  { value: '100000', text: 'Over $100K' },
] as const

type Props = {
  readonly view: FeedView
  readonly onView: (change: Partial<FeedView>) => void
  /** Seen from a token there are buys and sells. */
  readonly hasSides: boolean
  /** The wallet is what the page is about. */
  readonly withoutWallet: boolean
  readonly live: boolean
  readonly onLive: (live: boolean) => void
  /** Where the same swaps are as a file. */
  readonly fileUrl: string
}

/** Which swaps are shown, whether new ones come by themselves, and all of them as a file. */
export function FeedFilters({ view, onView, hasSides, withoutWallet, live, onLive, fileUrl }: Props) {
  const size = sizes.find(({ value }) => Number(value) === (view.minUsd ?? 0))
  // A size of the visitor's own, from an address.
  const own = size ? [] : [{ value: String(view.minUsd), text: `Over $${view.minUsd?.toLocaleString('en-US')}` }]
  return (
    <div className="print:hidden flex flex-wrap items-center gap-2 py-3">
      {hasSides && (
        <Segmented
          label="Side"
          options={sides}
          value={view.side ?? 'all'}
          onChange={(side) => onView({ side: side === 'all' ? undefined : side })}
        />
      )}
      <SelectField
        label="Size"
        options={[...sizes, ...own]}
        value={String(view.minUsd ?? 0)}
        onChange={(usd) => onView({ minUsd: Number(usd) || undefined })}
      />
      {!withoutWallet && <WalletFilter key={view.wallet ?? ''} wallet={view.wallet} onWallet={(wallet) => onView({ wallet })} />}
      <span className="ml-auto flex items-center gap-2">
        <button
          type="button"
          aria-pressed={live}
          disabled={view.before !== undefined}
          title={view.before === undefined ? 'New swaps appear every 5 seconds' : 'Older swaps do not change'}
          onClick={() => onLive(!live)}
          className={`${outlinedControl} touch:h-11 disabled:text-ink-3`}
        >
          <span className={live && view.before === undefined ? 'text-up' : 'text-ink-3'}>
            <Icon name={live ? 'pause' : 'play'} size={14} />
          </span>
          Live
        </button>
        <a href={fileUrl} download title="Up to 10,000 swaps, newest first" className={`${outlinedControl} touch:h-11`}>
          CSV
        </a>
      </span>
    </div>
  )
}

type WalletProps = { readonly wallet: string | undefined; readonly onWallet: (wallet: string | undefined) => void }

function WalletFilter({ wallet, onWallet }: WalletProps) {
  const [text, setText] = useState('')
  const [isWrong, setWrong] = useState(false)
  if (wallet)
    return (
      <button type="button" onClick={() => onWallet(undefined)} className={`${outlinedControl} touch:h-11`}>
        <span className="font-mono">{shortenAddress(wallet)}</span>
        <Icon name="close" size={14} />
        <span className="sr-only">Show all wallets</span>
      </button>
    )
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const address = parseAddress(text.trim())
    setWrong(text.trim() !== '' && !address)
    if (address) onWallet(address)
  }
  return (
    <form onSubmit={submit} className="flex min-w-0 items-center gap-2">
      <input
        aria-label="Wallet address"
        aria-invalid={isWrong}
        aria-describedby={isWrong ? 'wallet-wrong' : undefined}
        placeholder="Wallet 0x…"
        value={text}
        spellCheck={false}
        autoComplete="off"
        maxLength={66}
        onChange={(event) => {
          setText(event.target.value)
          setWrong(false)
        }}
        className="h-9 w-36 min-w-0 rounded-8 border border-line-strong bg-ground px-3 text-13 placeholder:text-ink-3 aria-invalid:border-down touch:h-11"
      />
      {isWrong && (
        <span id="wallet-wrong" role="alert" className="text-12 text-down">
          0x and 40 hex digits
        </span>
      )}
    </form>
  )
}

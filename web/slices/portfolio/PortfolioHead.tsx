import { useState } from 'react'
import { outlinedControl } from '../../ui/buttonStyles.ts'
import { minutesBetweenBalances } from './useWalletReadings.ts'

const control = `${outlinedControl} disabled:opacity-50 touch:h-11`

type Props = {
  readonly walletCount: number
  /** `false` when some of it could not be read. */
  readonly onRefresh: () => Promise<boolean>
  /** Absent while there is nothing to export. */
  readonly onExport: (() => void) | undefined
}

/** Heading of the page with what can be done with all of it. */
export function PortfolioHead({ walletCount, onRefresh, onExport }: Props) {
  const [state, setState] = useState<'idle' | 'busy' | 'failed'>('idle')
  const minutes = minutesBetweenBalances(walletCount)
  const refresh = async () => {
    setState('busy')
    setState((await onRefresh()) ? 'idle' : 'failed')
  }
  return (
    <header className="grid grid-cols-[minmax(0,1fr)_auto] items-center gap-x-4 pt-8 pb-4">
      <h1 className="text-20 font-strong tracking-tight">Portfolio</h1>
      <div className="flex gap-2 tablet:row-span-2">
        <button type="button" onClick={onExport} disabled={!onExport} className={control}>
          Export CSV
        </button>
        <button
          type="button"
          onClick={() => void refresh()}
          disabled={state === 'busy' || walletCount === 0}
          className={`${control} min-w-26`}
        >
          {state === 'busy' ? 'Refreshing…' : 'Refresh'}
        </button>
      </div>
      <p className="min-h-5 text-13 text-ink-2 max-tablet:col-span-2 max-tablet:pt-1">
        {state === 'failed' ? (
          <span role="alert" className="text-down">
            Failed to refresh balances
          </span>
        ) : (
          `Live prices. Balances refresh every ${minutes === 1 ? 'minute' : `${minutes} minutes`}.`
        )}
      </p>
    </header>
  )
}

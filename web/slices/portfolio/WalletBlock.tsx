import { shortenAddress } from '@chainboard/core'
import { memo } from 'react'
import { AddressMark } from '../../ui/Mark.tsx'
import { Skeleton } from '../../ui/Skeleton.tsx'
import type { Coin } from './describePosition.ts'
import { formatExactValue, formatValue } from './formatHolding.ts'
import { PositionList, PositionListSkeleton } from './PositionList.tsx'
import type { WalletView } from './usePortfolio.ts'
import type { Totals } from './valueWallet.ts'

const rowsAwaited = 6

type Props = { readonly wallet: WalletView; readonly coin: Coin | undefined }

/** One wallet: what it is worth, what it holds, what it has staked. */
export const WalletBlock = memo(function WalletBlock({ wallet, coin }: Props) {
  const { address, value } = wallet
  const short = shortenAddress(address)
  const waiting = wallet.waiting || !coin
  return (
    <section aria-label={`Wallet ${short}`} aria-busy={waiting} className="pt-10">
      <header className="grid items-center gap-x-6 gap-y-3 border-line-strong border-b pb-3 tablet:grid-cols-[minmax(0,1fr)_auto] tablet:px-3">
        <div className="flex items-center gap-3">
          <AddressMark address={address} size={36} />
          <div>
            <h2 title={address} className="font-mono text-16">
              {short}
            </h2>
            <p className="figures min-h-4 text-12 text-ink-3">{describeBlock(wallet)}</p>
          </div>
        </div>
        <WalletTotals totals={waiting ? undefined : value} unread={wallet.block === undefined} />
      </header>
      {!waiting && <WalletTrouble wallet={wallet} />}
      {waiting ? (
        <PositionListSkeleton title="Token Balances" rows={rowsAwaited} />
      ) : (
        <WalletPositions wallet={wallet} coin={coin} />
      )}
    </section>
  )
}, isSame)

/** Fifty wallets are on the page, and one answer changes one of them. `retry` does the same for as long as the address is the same. */
function isSame(before: Props, after: Props): boolean {
  const keys = ['address', 'waiting', 'value', 'block', 'oldSinceMs', 'stakesFailed', 'busy'] as const
  return before.coin === after.coin && keys.every((key) => before.wallet[key] === after.wallet[key])
}

function describeBlock({ block, waiting }: WalletView): string {
  if (block === undefined) return waiting ? '' : 'Unavailable'
  return `Block ${block.toLocaleString('en-US')}`
}

function WalletPositions({ wallet: { address, value, block }, coin }: { readonly wallet: WalletView; readonly coin: Coin }) {
  const of = shortenAddress(address)
  if (value.tokens.length === 0 && value.stakes.length === 0)
    // What could not be read may hold anything.
    return block === undefined ? null : <p className="py-8 text-center text-14 text-ink-2">No tokens found in this wallet</p>
  return (
    <>
      {value.tokens.length > 0 && (
        <PositionList title="Token Balances" of={of} positions={value.tokens} coin={coin} wholeE18={value.totalE18} />
      )}
      {value.stakes.length > 0 && (
        <PositionList title="Staked Tokens" of={of} positions={value.stakes} coin={coin} wholeE18={value.totalE18} />
      )}
    </>
  )
}

const terms = [
  { term: 'Total', key: 'totalE18' },
  { term: 'Liquid', key: 'liquidE18' },
  { term: 'Staked', key: 'stakedE18' },
] as const

/** The zeros of a wallet that was not read are quiet: they are no figures. */
function WalletTotals({ totals, unread = false }: { readonly totals: Totals | undefined; readonly unread?: boolean }) {
  const isQuiet = (usdE18: bigint | undefined) => unread && usdE18 === 0n
  return (
    // Under each other with the last three columns of PositionTable.
    <dl className="figures grid grid-cols-3 gap-6 tablet:grid-cols-[7rem_6.5rem_5rem] tablet:gap-0 tablet:text-right desk:grid-cols-[10rem_10rem_7rem]">
      {terms.map(({ term, key }) => (
        <div key={key}>
          <dt className="text-12 text-ink-2">{term}</dt>
          <dd
            title={totals && (isQuiet(totals[key]) ? 'Unavailable' : formatExactValue(totals[key]))}
            className={`min-h-6 text-16 ${isQuiet(totals?.[key]) ? 'text-ink-3' : key === 'totalE18' ? 'font-strong' : ''}`}
          >
            {totals ? formatValue(totals[key]) : <Skeleton width={72} height={16} />}
          </dd>
        </div>
      ))}
    </dl>
  )
}

/** A wallet of which not even the address is known yet, with the geometry of {@link WalletBlock}. */
export function WalletBlockSkeleton() {
  return (
    <div className="pt-10">
      <div className="grid items-center gap-x-6 gap-y-3 border-line-strong border-b pb-3 tablet:grid-cols-[minmax(0,1fr)_auto] tablet:px-3">
        <div className="flex h-10 items-center gap-3">
          <span className="skeleton size-9 rounded-full!" />
          <Skeleton width={112} height={16} />
        </div>
        <WalletTotals totals={undefined} />
      </div>
      <PositionListSkeleton title="Token Balances" rows={rowsAwaited} />
    </div>
  )
}

/** What of a wallet could not be read, in one quiet line, and the way to ask again. Nothing when all was. */
function WalletTrouble({ wallet }: { readonly wallet: WalletView }) {
  const text = describeTrouble(wallet)
  if (text === '') return null
  return (
    <p role="status" className="flex flex-wrap items-center gap-x-3 border-line border-b py-1 text-13 text-warn tablet:px-3">
      {text}
      <button
        type="button"
        onClick={wallet.retry}
        disabled={wallet.busy}
        className="min-h-8 font-strong underline underline-offset-4 touch:min-h-11"
      >
        {wallet.busy ? 'Trying…' : 'Try Again'}
      </button>
    </p>
  )
}

/** `Balances could not be read. Some stakes could not be read.` */
function describeTrouble({ block, oldSinceMs, stakesFailed }: Pick<WalletView, 'block' | 'oldSinceMs' | 'stakesFailed'>): string {
  const old = oldSinceMs !== undefined && `Balances are from ${new Date(oldSinceMs).toLocaleTimeString('en-GB')}.`
  const balances = block === undefined ? 'Balances could not be read.' : old
  return [balances, stakesFailed && 'Some stakes could not be read.'].filter(Boolean).join(' ')
}

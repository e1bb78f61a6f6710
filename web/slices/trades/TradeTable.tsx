import type { WireConfig, WireFeedSwap } from '@chainboard/contract'
import { formatFeeTier, formatRelativeTime } from '@chainboard/core'
import { memo, type ReactNode, useMemo } from 'react'
import { Link } from 'wouter'
import { useHydrated } from '../../lib/hydration.tsx'
import { poolPath, walletPath } from '../../lib/marketPaths.ts'
import { usePhone } from '../../lib/useMediaQuery.ts'
import { useNow } from '../../lib/useNow.ts'
import { Triangle } from '../../ui/Icon.tsx'
import { Skeleton } from '../../ui/Skeleton.tsx'
import { TxLink } from '../../ui/TxLink.tsx'
import { type Amount, describeTrade, type TradeText } from './describeTrade.ts'

type Props = {
  readonly swaps: readonly WireFeedSwap[]
  /** Address of the token that they are seen from. */
  readonly token?: string | undefined
  readonly explorer: WireConfig['explorer']
  /** They are old, and reading them again fails. */
  readonly muted: boolean
  /** They are of one pool alone, which the page names. */
  readonly ofPool: boolean
  /** They are of one wallet alone, which the page names. */
  readonly ofWallet: boolean
}

type Form = Pick<Props, 'token' | 'ofPool' | 'ofWallet'>

function toColumns({ token, ofPool, ofWallet }: Form): readonly Column[] {
  const own = token === undefined ? chainColumns : tokenColumns
  return [...own, valueColumn, ...(ofPool ? [] : [poolColumn]), ...(ofWallet ? [] : [walletColumn]), txColumn]
}

type Column = { readonly text: string; readonly look: string }
const [right, left] = ['text-right', 'text-left']
const timeColumn: Column = { text: 'Time', look: `w-26 ${left}` }
const tokenColumns: readonly Column[] = [
  { text: 'Type', look: `w-18 desk:w-20 ${left}` },
  timeColumn,
  { text: 'Amount', look: right },
  { text: 'For', look: right },
  { text: 'Price', look: `w-32 ${right} max-desk:hidden` },
]
const chainColumns: readonly Column[] = [timeColumn, { text: 'Sold', look: right }, { text: 'Bought', look: `pl-7! ${left}` }]
const valueColumn: Column = { text: 'Value', look: `w-24 desk:w-32 ${right}` }
/** Below it the amounts need the place of the pool. */
const poolRoom = 'max-[767px]:hidden'
const poolColumn: Column = { text: 'Pool', look: `w-18 desk:w-20 ${poolRoom} ${right}` }
const walletColumn: Column = { text: 'Wallet', look: `w-28 desk:w-32 ${right}` }
const txColumn: Column = { text: 'Tx', look: `print:hidden w-12 desk:w-14 ${right}` }

/** Swaps in rows, or as cards on a phone. Each second, only those whose age changed are drawn again. */
export const TradeTable = memo(function TradeTable({ swaps, token, explorer, muted, ofPool, ofWallet }: Props) {
  const nowSeconds = useNow()
  const phone = usePhone()
  const inUtc = !useHydrated()
  const told = useMemo(
    () => swaps.map((swap) => ({ swap, text: describeTrade(swap, { token, explorer, inUtc }) })),
    [swaps, token, explorer, inUtc],
  )
  const items = told.map((item) => ({ ...item, time: formatRelativeTime(item.swap.timestamp, nowSeconds) }))
  return (
    <>
      {phone !== false && (
        <ul className={`figures ${muted ? 'text-ink-3' : ''} ${phone ? '' : 'tablet:hidden'}`}>
          {items.map((item) => (
            <TradeCard key={item.swap.id} {...item} ofWallet={ofWallet} />
          ))}
        </ul>
      )}
      {!phone && (
        <div className={phone === undefined ? 'max-tablet:hidden' : ''}>
          <Frame token={token} ofPool={ofPool} ofWallet={ofWallet} muted={muted}>
            {items.map((item) => (
              <TradeRow key={item.swap.id} {...item} ofPool={ofPool} ofWallet={ofWallet} />
            ))}
          </Frame>
        </div>
      )}
    </>
  )
})

function Frame({ muted, children, ...form }: Form & { readonly muted?: boolean; readonly children: ReactNode }) {
  return (
    <table className={`figures w-full table-fixed border-collapse ${muted ? 'text-ink-3' : ''}`}>
      <caption className="sr-only">Swaps, newest first</caption>
      <thead>
        <tr>
          {toColumns(form).map(({ text, look }) => (
            <th key={text} scope="col" className={`h-10 border-line border-b px-2 text-12 font-normal text-ink-3 ${look}`}>
              {text}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>{children}</tbody>
    </table>
  )
}

type Item = { readonly swap: WireFeedSwap; readonly text: TradeText; readonly time: string }

const TradeRow = memo(function TradeRow({ swap, text, time, ofPool, ofWallet }: Item & Pick<Props, 'ofPool' | 'ofWallet'>) {
  return (
    <tr className="h-11 border-line border-b *:px-2 last:border-b-0 hover:bg-surface-2">
      {text.side && (
        <td>
          <Side side={text.side} />
        </td>
      )}
      <td className="text-ink-2" title={text.absoluteTime}>
        {time}
      </td>
      <td className="truncate text-right max-desk:whitespace-normal">
        <Figure amount={text.first} />
      </td>
      <td className={`truncate max-desk:whitespace-normal ${text.side ? 'text-right text-ink-2' : ''}`}>
        {!text.side && <span className="pr-2 text-ink-3">→</span>}
        <Figure amount={text.second} />
      </td>
      {text.side && <td className="text-right max-desk:hidden">{text.price ?? <span className="text-ink-3">N/A</span>}</td>}
      <td className="text-right">{text.value}</td>
      {!ofPool && (
        <td className={`text-right ${poolRoom}`}>
          <PoolLink swap={swap} />
        </td>
      )}
      {!ofWallet && (
        <td className="text-right">
          <WalletLink swap={swap} text={text} />
        </td>
      )}
      <td className="print:hidden text-right">
        <TxLink url={text.txUrl} />
      </td>
    </tr>
  )
})

const TradeCard = memo(function TradeCard({ swap, text, time, ofWallet }: Item & Pick<Props, 'ofWallet'>) {
  return (
    <li className="grid grid-cols-[minmax(0,1fr)_auto_44px] items-center gap-x-2 border-line border-b py-2 last:border-b-0">
      <div className="min-w-0">
        <p className="flex items-baseline gap-2">
          {text.side && <Side side={text.side} />}
          <span className="wrap-anywhere">
            <Figure amount={text.first} />
            {!text.side && (
              <>
                {' → '}
                <Figure amount={text.second} />
              </>
            )}
          </span>
        </p>
        <p className="text-13 text-ink-2" title={text.absoluteTime}>
          {time}
        </p>
      </div>
      <div className="text-right">
        <p>{text.value}</p>
        {!ofWallet && <WalletLink swap={swap} text={text} />}
      </div>
      <TxLink url={text.txUrl} />
    </li>
  )
})

function Figure({ amount }: { readonly amount: Amount }) {
  return (
    <span title={`${amount.figure} ${amount.symbol}`}>
      {amount.figure} <bdi className="text-ink-2">{amount.symbol}</bdi>
    </span>
  )
}

function Side({ side }: { readonly side: 'Buy' | 'Sell' }) {
  const buys = side === 'Buy'
  return (
    <span className={`inline-flex items-center gap-1.5 font-strong ${buys ? 'text-up' : 'text-down'}`}>
      <Triangle points={buys ? 'up' : 'down'} />
      {side}
    </span>
  )
}

function PoolLink({ swap: { pool } }: { readonly swap: WireFeedSwap }) {
  const fee = formatFeeTier(pool.fee)
  return (
    <Link
      to={poolPath(pool.address)}
      aria-label={`Pool with a fee of ${fee}`}
      className="rounded-6 bg-surface-2 px-1.5 py-0.5 text-12 text-ink-2 hover:text-ink"
    >
      {fee}
    </Link>
  )
}

function WalletLink({ swap, text }: { readonly swap: WireFeedSwap; readonly text: TradeText }) {
  return (
    <Link
      to={walletPath(swap.recipient)}
      title={swap.recipient}
      className="rounded-6 font-mono text-13 text-ink-2 hover:text-ink hover:underline touch:-my-2 touch:inline-block touch:py-2"
    >
      {text.wallet}
    </Link>
  )
}

const rows = Array.from({ length: 12 }, (_, index) => index)

/** Swaps that are still being read, with the geometry of their rows. */
export function TradeSkeleton(form: Form) {
  const phone = usePhone()
  const columns = toColumns(form).length
  return (
    <>
      <span role="status" className="sr-only">
        Loading the swaps
      </span>
      <div aria-hidden="true">
        {phone ? (
          rows.map((row) => (
            <div key={row} className="flex h-15.5 items-center justify-between border-line border-b">
              <Skeleton width={152} />
              <Skeleton width={88} />
            </div>
          ))
        ) : (
          <Frame {...form}>
            {rows.map((row) => (
              <tr key={row} className="h-11 border-line border-b">
                <td colSpan={columns} className="px-2">
                  <span className="flex justify-between">
                    {[48, 72, 112, 96, 72, 88].map((width) => (
                      <Skeleton key={width} width={width} />
                    ))}
                  </span>
                </td>
              </tr>
            ))}
          </Frame>
        )}
      </div>
    </>
  )
}

import type { WireTrader } from '@chainboard/contract'
import { formatMoney, shortenAddress } from '@chainboard/core'
import { useState } from 'react'
import { Link } from 'wouter'
import { walletPath } from '../../lib/marketPaths.ts'
import { EmptyNote } from '../../ui/EmptyNote.tsx'
import { Triangle } from '../../ui/Icon.tsx'
import { QueryView } from '../../ui/QueryView.tsx'
import { formatNet, sortTraders, type TraderSort } from './sortTraders.ts'
import { WindowsSkeleton } from './TokenWindows.tsx'
import { useWindows } from './useWindows.ts'

/** Who bought and sold most of a token in a day. */
export function TokenTraders({ address }: { readonly address: string }) {
  const query = useWindows(address)
  return (
    <QueryView
      query={query}
      isEmpty={({ traders }) => !traders?.length}
      failureText="Failed to load the traders"
      waiting={<WindowsSkeleton />}
      empty={({ traders }) => (
        <EmptyNote title="No traders">
          {traders ? 'Nobody traded this token in the last 24 hours.' : 'More than 10,000 swaps in 24 hours: too many to rank.'}
        </EmptyNote>
      )}
    >
      {({ traders }) => <Traders traders={traders ?? []} muted={query.isError} />}
    </QueryView>
  )
}

/** As many as the server lists. */
const tradersMax = 20

const heads: readonly { readonly sort: TraderSort; readonly text: string }[] = [
  { sort: 'bought', text: 'Bought' },
  { sort: 'sold', text: 'Sold' },
  { sort: 'net', text: 'Net' },
]

function Traders({ traders, muted }: { readonly traders: readonly WireTrader[]; readonly muted: boolean }) {
  const [sort, setSort] = useState<TraderSort>('total')
  return (
    <>
      <p className="py-3 text-13 text-ink-2">
        {traders.length < tradersMax ? 'All wallets that traded' : `The ${tradersMax} wallets that traded most`} in the last 24
        hours, by the address that received each swap. Routers may be among them.
      </p>
      <table className={`figures w-full border-collapse ${muted ? 'text-ink-3' : ''}`}>
        <caption className="sr-only">Who traded most in 24 hours</caption>
        <thead>
          <tr className="h-10 text-12 text-ink-3 *:border-line *:border-b *:px-2 *:font-normal">
            <th scope="col" className="text-left">
              Wallet
            </th>
            {heads.map((head) => (
              <th key={head.sort} scope="col" aria-sort={sort === head.sort ? 'descending' : undefined} className="text-right">
                <button
                  type="button"
                  title={sort === head.sort ? 'Sort by total traded' : 'Sort, largest first'}
                  onClick={() => setSort(sort === head.sort ? 'total' : head.sort)}
                  className={`inline-flex items-center gap-1 rounded-6 py-1 hover:text-ink touch:h-11 ${sort === head.sort ? 'font-strong text-ink' : ''}`}
                >
                  <span className={sort === head.sort ? '' : 'opacity-50'}>
                    <Triangle points="down" />
                  </span>
                  {head.text}
                </button>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {sortTraders(traders, sort).map(({ wallet, boughtUsd, soldUsd }) => (
            <tr key={wallet} className="h-11 border-line border-b *:px-2 last:border-b-0 hover:bg-surface-2">
              <td>
                <Link
                  to={walletPath(wallet)}
                  title={wallet}
                  className="rounded-6 font-mono text-13 hover:underline touch:-my-2 touch:inline-block touch:py-2"
                >
                  {shortenAddress(wallet)}
                </Link>
              </td>
              <td className="text-right text-up">{formatMoney(boughtUsd)}</td>
              <td className="text-right text-down">{formatMoney(soldUsd)}</td>
              <td className="text-right">{formatNet(boughtUsd - soldUsd)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </>
  )
}

import type { WireKeyStats } from '@chainboard/contract'
import { Skeleton } from '../../ui/Skeleton.tsx'

const figures: readonly { readonly term: string; readonly value: (stats: WireKeyStats) => string }[] = [
  { term: 'Total Keys', value: ({ totalKeys }) => formatCount(totalKeys) },
  { term: 'Active Keys', value: ({ activeKeys }) => formatCount(activeKeys) },
  { term: 'Monthly Revenue', value: ({ monthlyRevenue }) => `$${formatCount(monthlyRevenue)}` },
  { term: 'Requests Today', value: ({ totalRequestsToday }) => formatCount(totalRequestsToday) },
]

/** Of the shared API, for each address (specification §9). */
const sharedLimit = 10_000

function formatCount(count: number): string {
  return count.toLocaleString('en-US')
}

/** Figures of all keys, and how much of the shared API is used; bars in their place while they are being counted. */
export function KeyFigures({ stats }: { readonly stats: WireKeyStats | undefined }) {
  return (
    <div className="border-line border-y">
      <dl className="figures grid grid-cols-2 desk:grid-cols-4">
        {figures.map(({ term, value }) => (
          <div
            key={term}
            className="flex min-h-20 flex-col justify-center border-line px-4 py-3 even:border-l max-desk:nth-[n+3]:border-t max-tablet:odd:pl-0 tablet:px-3 desk:px-5 desk:not-first:border-l desk:first:pl-3"
          >
            <dt className="text-12 text-ink-2">{term}</dt>
            <dd className="min-h-7 text-20 font-strong tracking-tight">
              {stats ? value(stats) : <Skeleton width={64} height={18} />}
            </dd>
          </div>
        ))}
      </dl>
      <SharedUsage stats={stats} />
    </div>
  )
}

function SharedUsage({ stats }: { readonly stats: WireKeyStats | undefined }) {
  const used = stats?.sharedApiUsage ?? 0
  const clients = stats?.sharedApiIPs ?? 0
  const room = Math.max(1, clients) * sharedLimit
  return (
    <div className="figures border-line border-t py-4 text-13 tablet:px-3">
      <div className="flex flex-wrap items-baseline justify-between gap-x-6 gap-y-1">
        <h2 className="font-strong">Shared public API</h2>
        <p className="text-ink-2">
          {stats ? (
            <>
              <span className="font-strong text-ink">{formatCount(used)}</span> of {formatCount(room)} requests today ·{' '}
              {formatCount(clients)} active {clients === 1 ? 'IP' : 'IPs'}
            </>
          ) : (
            <Skeleton width={220} />
          )}
        </p>
      </div>
      <div aria-hidden="true" className="mt-2.5 h-1.5 overflow-hidden rounded-full bg-surface-3">
        <div style={{ width: `${Math.min(100, (used / room) * 100)}%` }} className="h-full min-w-px rounded-full bg-ink-2" />
      </div>
    </div>
  )
}

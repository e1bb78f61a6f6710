import type { ReactNode } from 'react'
import { FlashText } from '../../ui/FlashText.tsx'
import { SectionHead } from '../../ui/SectionHead.tsx'
import { Skeleton } from '../../ui/Skeleton.tsx'
import { formatExactValue, formatShare, formatValue } from './formatHolding.ts'
import type { Totals } from './valueWallet.ts'

const parts = [
  { term: 'Liquid', key: 'liquidE18', look: 'bg-accent' },
  { term: 'Staked', key: 'stakedE18', look: 'bg-accent/40' },
] as const

type Props = {
  /** `undefined` while they are being read. */
  readonly totals: Totals | undefined
  /** No wallet was read: zeros that are no figures, in quiet ink. */
  readonly unread?: boolean
  /** What the sums leave out, in words; empty when nothing. */
  readonly gaps: string
}

/** What everything is worth, and how it divides: the total large, its two parts as one bar. */
export function ValueSummary({ totals, unread = false, gaps }: Props) {
  const inkOf = (usdE18: bigint | undefined) => (unread && usdE18 === 0n ? 'text-ink-3' : '')
  return (
    <section aria-labelledby="portfolio-value" aria-busy={!totals} className="border-line border-y pt-3 pb-1">
      <SectionHead id="portfolio-value" text="Portfolio Value" />
      <div className="mt-1 grid gap-x-16 gap-y-5 desk:grid-cols-[minmax(14rem,auto)_minmax(0,1fr)] desk:items-end">
        <dl className="figures">
          <dt className="text-12 text-ink-2">Total</dt>
          <dd className={`text-28 font-strong tracking-tight ${inkOf(totals?.totalE18)}`}>
            {totals ? <Amount usdE18={totals.totalE18} /> : <Skeleton width={168} height={28} />}
          </dd>
          <dd className="min-h-5 text-13 text-ink-2">{totals ? describeExact(totals.totalE18) : <Skeleton width={112} />}</dd>
        </dl>
        <div>
          <Bar totals={totals} />
          <dl className="figures mt-3 grid grid-cols-2 gap-4">
            {parts.map(({ term, key, look }) => (
              <Part key={key} term={term} look={look}>
                {totals ? (
                  <>
                    <span className={`text-16 font-strong ${inkOf(totals[key])}`}>
                      <Amount usdE18={totals[key]} />
                    </span>
                    {totals.totalE18 > 0n && (
                      <span className="text-13 text-ink-2">{formatShare(totals[key], totals.totalE18)}</span>
                    )}
                  </>
                ) : (
                  <Skeleton width={128} height={16} />
                )}
              </Part>
            ))}
          </dl>
        </div>
      </div>
      {/* Its place is kept, so that nothing moves when there is something to say. */}
      <p className="min-h-9 py-2 text-13 text-warn">{gaps}</p>
    </section>
  )
}

/** To the cent, where the short text does not say that already. */
function describeExact(usdE18: bigint): string {
  const exact = formatExactValue(usdE18)
  return exact === formatValue(usdE18) ? '' : exact
}

function Amount({ usdE18 }: { readonly usdE18: bigint }) {
  const text = formatValue(usdE18)
  return (
    <span title={formatExactValue(usdE18)}>
      <FlashText figure={Number(usdE18)} text={text} />
    </span>
  )
}

function Part({ term, look, children }: { readonly term: string; readonly look: string; readonly children: ReactNode }) {
  return (
    <div>
      <dt className="flex items-center gap-2 text-12 text-ink-2">
        <span aria-hidden="true" className={`size-2 rounded-full ${look}`} />
        {term}
      </dt>
      <dd className="flex min-h-6 flex-wrap items-baseline gap-x-2">{children}</dd>
    </div>
  )
}

/** The figures under it say the same. */
function Bar({ totals }: { readonly totals: Totals | undefined }) {
  if (!totals) return <div key="waiting" className="skeleton h-2 rounded-full!" />
  if (totals.totalE18 === 0n) return <div key="empty" className="h-2 rounded-full bg-surface-2" />
  return (
    <div key="parts" aria-hidden="true" className="flex h-2 gap-0.5 overflow-hidden rounded-full">
      {parts
        .filter(({ key }) => totals[key] > 0n)
        .map(({ key, look }) => (
          <span key={key} style={{ flexGrow: Number(totals[key]) / Number(totals.totalE18) }} className={`min-w-1 ${look}`} />
        ))}
    </div>
  )
}

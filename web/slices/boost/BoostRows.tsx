import { formatRemaining, formatTokenBalance, noValue, shortenAddress } from '@chainboard/core'
import type { ReactNode } from 'react'
import { useChainNow } from '../../lib/chainClock.ts'
import { describeDuration } from '../../lib/describeDuration.ts'
import { Skeleton } from '../../ui/Skeleton.tsx'
import type { AnnouncedTerms, BoostFacts } from './readFacts.ts'

type Props = {
  /** `undefined` while they are read, or when that failed. */
  readonly facts: BoostFacts | undefined
  readonly failed: boolean
  readonly decimals: number
  /** The connected wallet's. */
  readonly address: string | undefined
  /** Rows of a wallet that has more to say. */
  readonly children?: ReactNode
}

/** What is bought, what it costs, and what there is to pay it with. */
export function BoostRows({ facts, failed, decimals, address, children }: Props) {
  const usdc = (amountRaw: bigint) => <span className="figures">{formatTokenBalance(amountRaw, decimals)} USDC</span>
  const balanceRaw = facts?.wallet?.balanceRaw
  const waiting = (width: number) =>
    failed ? <span className="font-normal text-ink-3">{noValue}</span> : <Skeleton width={width} />
  return (
    <dl className="border-line border-y *:not-first:border-line *:not-first:border-t">
      <BoostRow term="Boost Duration">{facts ? describeDuration(facts.durationSeconds) : waiting(64)}</BoostRow>
      <BoostRow term="Boost Cost">{facts ? usdc(facts.costRaw) : waiting(72)}</BoostRow>
      {facts?.announced && <AnnouncedRow announced={facts.announced} cost={usdc(facts.announced.costRaw)} />}
      <BoostRow term="Your USDC Balance" note={address && shortenAddress(address)}>
        {address === undefined ? (
          <span className="font-normal text-ink-3">No wallet</span>
        ) : balanceRaw === undefined ? (
          waiting(88)
        ) : (
          usdc(balanceRaw)
        )}
      </BoostRow>
      {children}
    </dl>
  )
}

/** What a later payment will buy, so that nobody is surprised by it. */
function AnnouncedRow({ announced, cost }: { readonly announced: AnnouncedTerms; readonly cost: ReactNode }) {
  const left = announced.fromSeconds - useChainNow()
  return (
    <BoostRow term={`New terms in ${formatRemaining(left)}`}>
      {cost} for {describeDuration(announced.durationSeconds)}
    </BoostRow>
  )
}

type RowProps = { readonly term: string; readonly note?: ReactNode; readonly children: ReactNode }

/** A term with its figure; `note` stands beside the term. */
export function BoostRow({ term, note, children }: RowProps) {
  return (
    <div className="flex min-h-11 items-center justify-between gap-4 py-1">
      <dt className="text-13 text-ink-2">
        {term}
        {note && <span className="figures ml-2 text-12 text-ink-3">{note}</span>}
      </dt>
      <dd className="min-w-0 truncate text-14 font-strong">{children}</dd>
    </div>
  )
}

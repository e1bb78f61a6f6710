import { Skeleton } from '../../ui/Skeleton.tsx'
import { type Coin, describePosition } from './describePosition.ts'
import { formatBalanceText, formatShare, formatValue } from './formatHolding.ts'
import { PositionMark, PositionName, PositionPrice } from './PositionParts.tsx'
import { keyOf } from './PositionTable.tsx'
import type { Position } from './valueWallet.ts'

const cardLook =
  'grid min-h-16 grid-cols-[36px_minmax(0,1fr)_auto] items-center gap-x-3 border-line border-b py-2 last:border-b-0'

type Props = {
  readonly caption: string
  readonly positions: readonly Position[]
  readonly coin: Coin
  /** What shares are of. */
  readonly wholeE18: bigint
}

/** Positions on a phone, in two lines each. */
export function PositionCards({ caption, positions, coin, wholeE18 }: Props) {
  return (
    <ul aria-label={caption} className="figures">
      {positions.map((position) => (
        <PositionCard key={keyOf(position)} position={position} coin={coin} wholeE18={wholeE18} />
      ))}
    </ul>
  )
}

type CardProps = { readonly position: Position; readonly coin: Coin; readonly wholeE18: bigint }

function PositionCard({ position, coin, wholeE18 }: CardProps) {
  const text = describePosition(position, coin)
  const { balance, usdE18, token } = position
  const valueLook = usdE18 === undefined || token?.priceStatus === 'stale' ? 'text-ink-3' : 'text-ink'
  return (
    <li className={cardLook}>
      <PositionMark position={position} text={text} size={36} />
      <span className="min-w-0">
        <PositionName text={text} />
        <span title={balance} className="flex gap-1 text-13 text-ink-2">
          <span className="shrink-0">{formatBalanceText(balance, text.decimals)}</span>
          <bdi className="truncate">{text.symbol}</bdi>
        </span>
      </span>
      <span className="flex flex-col items-end">
        <span className={`font-strong ${valueLook}`}>{formatValue(usdE18)}</span>
        {usdE18 === undefined ? (
          <span className="text-13 text-ink-3">No price</span>
        ) : (
          <span className="flex gap-1.5 text-13 text-ink-2">
            <PositionPrice token={token} />
            <span aria-hidden="true" className="text-ink-3">
              ·
            </span>
            {formatShare(usdE18, wholeE18)}
          </span>
        )}
      </span>
    </li>
  )
}

/** Cards that are still being read, with the geometry of {@link PositionCards}. */
export function PositionCardsSkeleton({ rows }: { readonly rows: number }) {
  return (
    <ul aria-hidden="true">
      {Array.from({ length: rows }, (_, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a fixed list of bars
        <li key={index} className={cardLook}>
          <span className="skeleton size-9 rounded-full!" />
          <span className="flex flex-col gap-2">
            <Skeleton width={104} />
            <Skeleton width={72} height={10} />
          </span>
          <span className="flex flex-col items-end gap-2">
            <Skeleton width={64} />
            <Skeleton width={88} height={10} />
          </span>
        </li>
      ))}
    </ul>
  )
}

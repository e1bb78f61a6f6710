import type { WireToken } from '@chainboard/contract'
import { formatUsdPrice } from '@chainboard/core'
import { Skeleton } from '../../ui/Skeleton.tsx'
import { drawLine } from './drawLine.ts'
import { useSparkline } from './useSparkline.ts'

const box = { width: 96, height: 28 } as const

/** The price of the last seven days as a small line that ends at the price now. */
export function Sparkline({ token }: { readonly token: WireToken }) {
  const { data: points, isPending } = useSparkline(token.address)
  if (isPending) return <Skeleton width={box.width} height={16} />
  const prices = (points ?? []).map(({ price }) => price)
  const current = token.priceStatus === 'unpriced' ? prices : [...prices.slice(0, -1), token.priceInUsd]
  const [first, last] = [current[0], current.at(-1)]
  if (first === undefined || last === undefined || current.length < 2) return <span className="text-ink-3">–</span>
  const look =
    token.priceStatus === 'stale' ? 'text-ink-3' : last === first ? 'text-ink-3' : last > first ? 'text-up' : 'text-down'
  return (
    <svg
      role="img"
      aria-label={`From ${formatUsdPrice(first)} to ${formatUsdPrice(last)} in 7 days`}
      {...box}
      viewBox={`0 0 ${box.width} ${box.height}`}
      className={`ml-auto block ${look}`}
    >
      <path d={drawLine(current, box)} fill="none" stroke="currentColor" strokeWidth="1.5" strokeLinejoin="round" />
    </svg>
  )
}

import { formatUsdPrice } from '@chainboard/core'
import { drawLine } from './drawLine.ts'
import { useSparkline } from './useSparkline.ts'

const box = { width: 600, height: 200 } as const

/** The last seven days of a price as a line that fills its place; nothing without two prices. */
export function WeekLine({ address }: { readonly address: string }) {
  const prices = (useSparkline(address).data ?? []).map(({ price }) => price)
  const [first, last] = [prices[0], prices.at(-1)]
  if (first === undefined || last === undefined || prices.length < 2) return null
  return (
    <>
      <p className="pb-2 text-12">Last 7 days</p>
      <svg
        role="img"
        aria-label={`From ${formatUsdPrice(first)} to ${formatUsdPrice(last)} in 7 days`}
        viewBox={`0 0 ${box.width} ${box.height}`}
        preserveAspectRatio="none"
        className="min-h-0 w-full flex-1"
      >
        <path d={drawLine(prices, box)} fill="none" stroke="currentColor" strokeWidth="1.5" vectorEffect="non-scaling-stroke" />
      </svg>
    </>
  )
}

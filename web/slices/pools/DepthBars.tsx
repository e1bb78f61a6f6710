import { formatMoney } from '@chainboard/core'
import type { Sides } from './describePool.ts'

type Props = {
  readonly sides: Sides | undefined
  /** US dollars that fill a bar. */
  readonly usdMax: number
}

/** What can be bought and sold within 2 %: two bars from the middle, and both amounts. */
export function DepthBars({ sides, usdMax }: Props) {
  if (!sides) return <span className="text-ink-3">N/A</span>
  const { buyUsd, sellUsd } = sides
  const width = (usd: number) => `${Math.min(100, usdMax > 0 ? (usd / usdMax) * 100 : 0)}%`
  return (
    <span className="inline-grid w-full max-w-44 grid-cols-2 gap-x-1 text-12">
      <span className="text-right">
        <span className="sr-only">Sell </span>
        {formatMoney(sellUsd)}
      </span>
      <span className="text-left">
        <span className="sr-only">, buy </span>
        {formatMoney(buyUsd)}
      </span>
      <span aria-hidden="true" className="flex h-1 justify-end rounded-full bg-surface-2">
        <span style={{ width: width(sellUsd) }} className="h-1 rounded-full bg-down" />
      </span>
      <span aria-hidden="true" className="flex h-1 rounded-full bg-surface-2">
        <span style={{ width: width(buyUsd) }} className="h-1 rounded-full bg-up" />
      </span>
    </span>
  )
}

import { formatTick, toChartTicks } from './chartTicks.ts'
import type { ChartSpan } from './drawPriceChart.ts'

/** Room one label takes, in px. */
const labelPx = { '1d': 56, '3d': 92, '1w': 60, '1m': 60 } as const

/** Times under the canvas. Points stand at even distances, so a time's place is a matter of proportion. */
export function TimeAxis({ span }: { readonly span: ChartSpan | undefined }) {
  return (
    <div aria-hidden="true" className="figures relative h-6 shrink-0 overflow-hidden text-12 text-ink-3">
      {span &&
        listLabels(span).map(({ x, text }) => (
          <span key={x} style={{ left: x }} className="absolute top-1 -translate-x-1/2 whitespace-nowrap">
            {text}
          </span>
        ))}
    </div>
  )
}

function listLabels({ range, firstSeconds, lastSeconds, firstX, lastX }: ChartSpan): { x: number; text: string }[] {
  const width = lastX - firstX
  const half = labelPx[range] / 2
  return toChartTicks(range, firstSeconds, lastSeconds, Math.max(2, Math.floor(width / labelPx[range])))
    .map((tick) => ({
      x: firstX + ((tick - firstSeconds) / (lastSeconds - firstSeconds)) * width,
      text: formatTick(range, tick),
    }))
    .filter(({ x }) => x >= half - 8)
}

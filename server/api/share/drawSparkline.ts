import { daySeconds } from '@chainboard/core'

type Box = { readonly x: number; readonly y: number; readonly width: number; readonly height: number }

const strokeWidth = 4
const dotRadius = 7

/** What the box is wide: of a younger token the line begins further right. */
const spanSeconds = 7 * daySeconds

/**
 * A line through the prices of a week, with a shade under it and a dot at its end; one that never moves runs through the middle.
 * @param points at least two, ascending in time
 */
export function drawSparkline(points: readonly (readonly [atSeconds: number, usd: number])[], box: Box, color: string): string {
  const [times, prices] = [points.map(([at]) => at), points.map(([, usd]) => usd)]
  const until = Math.max(...times)
  const from = Math.min(until - spanSeconds, ...times)
  const low = Math.min(...prices)
  const span = Math.max(...prices) - low
  const [width, height] = [box.width - dotRadius, box.height - 2 * dotRadius]
  const toX = (at: number) => box.x + ((at - from) / (until - from)) * width
  const toY = (usd: number) => box.y + dotRadius + (span === 0 ? height / 2 : height * (1 - (usd - low) / span))
  const places = points.map(([at, usd]) => ({ x: toX(at), y: toY(usd) }))
  const line = places.map(({ x, y }, i) => `${i === 0 ? 'M' : 'L'}${x.toFixed(1)} ${y.toFixed(1)}`).join('')
  const [start, end] = [places[0] ?? box, places.at(-1) ?? box]
  const bottom = box.y + box.height + 22
  return [
    `<linearGradient id="shade" x1="0" y1="0" x2="0" y2="1"><stop offset="0" stop-color="${color}" stop-opacity=".24"/><stop offset="1" stop-color="${color}" stop-opacity="0"/></linearGradient>`,
    `<path d="${line}V${bottom}H${start.x.toFixed(1)}Z" fill="url(#shade)"/>`,
    `<path d="${line}" fill="none" stroke="${color}" stroke-width="${strokeWidth}" stroke-linejoin="round" stroke-linecap="round"/>`,
    `<circle cx="${end.x.toFixed(1)}" cy="${end.y.toFixed(1)}" r="${dotRadius}" fill="${color}"/>`,
  ].join('')
}

import type { Failure } from '@chainboard/core'

const first = 500
const widest = 100_000
/** Events that one span should hold: bounds memory and the node's work. */
const eventsWanted = 5_000

/** How many blocks each node is asked about at once. Nodes are told apart by their places. */
export type Widths = {
  readonly of: (place: number) => number
  /** Notes that a span had so many events. */
  readonly fit: (place: number, lines: number) => void
  /** Notes what a node refused: the next span is narrower if that may help. */
  readonly refused: (place: number, failure: Failure) => void
}

/** Each node has limits of its own: one that reads ten blocks at a time, or says so, makes the others' spans no narrower. */
export function createWidths(): Widths {
  const known = new Map<number, { readonly span: number; readonly max: number }>()
  const find = (place: number) => known.get(place) ?? { span: first, max: widest }
  return {
    of: (place) => find(place).span,
    fit(place, lines) {
      const { span, max } = find(place)
      const fitting = lines === 0 ? span * 2 : Math.floor((span * eventsWanted) / lines)
      known.set(place, { span: Math.max(1, Math.min(max, span * 2, fitting)), max })
    },
    refused(place, failure) {
      const isNeverRead = isTooWide(failure)
      if (!isNeverRead && !holdsTooMuch(failure)) return
      const { span, max } = find(place)
      const half = Math.max(1, Math.floor(span / 2))
      known.set(place, { span: half, max: isNeverRead ? half : max })
    },
  }
}

/** No range of this width is read. Logs are asked for with a call as anybody could make it: why the node refused it is in the detail. */
function isTooWide({ code, detail }: Failure): boolean {
  return code === 'rpc-range-too-wide' || detail['refusal'] === 'range-too-wide'
}

/** This range holds too much; another one of its width may not. `bytes`: how much was read of an answer that is too long. */
function holdsTooMuch({ code, detail }: Failure): boolean {
  const { refusal } = detail
  return refusal === 'too-many-results' || refusal === 'answer-too-large' || (code === 'rpc-refused' && 'bytes' in detail)
}

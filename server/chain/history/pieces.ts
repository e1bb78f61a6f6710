import type { BlockHash, ChainRange } from '../chain.ts'
import type { HistoryNode } from './historyNode.ts'

/** A part of the history, read or to be read. */
export type Piece = {
  from: number
  to: number
  /** `madeCount`: how many of the contracts that ranges made were named; undefined where logs of all contracts were read. */
  answer: { readonly range: ChainRange; readonly by: HistoryNode; readonly madeCount: number | undefined } | undefined
  readonly readers: Map<HistoryNode, Reader>
  /** Who failed to read it. */
  readonly avoid: Set<HistoryNode>
  /** Whose answer did not continue the range before. */
  readonly strangers: Set<HistoryNode>
}

/** One node's reading of a piece. `calls` ends it. */
export type Reader = { readonly begunAtMs: number; readonly calls: AbortController }

/** A piece that no node reads yet; both blocks are in it. */
export function newPiece(from: number, to: number): Piece {
  return { from, to, answer: undefined, readers: new Map(), avoid: new Set(), strangers: new Set() }
}

/** Leaves the first blocks of a piece, in the order of reading. @returns the rest of it; undefined when there is none */
export function cutPiece(piece: Piece, blocks: number, order: 'up' | 'down'): Piece | undefined {
  const { from, to } = piece
  if (to - from + 1 <= blocks) return undefined
  if (order === 'up') {
    piece.to = from + blocks - 1
    return newPiece(piece.to + 1, to)
  }
  piece.from = to - blocks + 1
  return newPiece(from, piece.from - 1)
}

/** Whether the range has the block, or continues it. */
export function isJoined({ headers }: ChainRange, anchor: BlockHash | undefined): boolean {
  return (
    !anchor ||
    headers.every(
      ({ number, hash, parentHash }) =>
        (number !== anchor.number || hash === anchor.hash) && (number - 1 !== anchor.number || parentHash === anchor.hash),
    )
  )
}

/** The block that the next range in order has to continue, or to begin with: it shows that both are of one chain. */
export function toAnchor({ headers }: ChainRange, order: 'up' | 'down'): BlockHash | undefined {
  const [first, last] = [headers[0], headers.at(-1)]
  if (order === 'up') return last && { number: last.number, hash: last.hash }
  return first && { number: first.number - 1, hash: first.parentHash }
}

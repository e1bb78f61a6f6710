import type { Address } from '@chainboard/core'
import type { BlockRef } from '../store/syncCursor.ts'
import type { BoardEvent, Publication } from './board.ts'

/** Blocks remembered, to know their prices again when the chain has left them. */
const blocksMax = 600

/** What readers of the stream were told, as far as the next leader has to know it: what it takes back has to be what was told. */
export type ToldBook = {
  readonly note: (publication: Publication) => void
  /** Blocks of boards, at which of them each token's price last changed, and tokens whose last price was taken back. */
  readonly current: () => { blocks: readonly BlockRef[]; changedAt: ReadonlyMap<Address, number>; voided: ReadonlySet<Address> }
}

/** Remembers it on every server, from the boards that it takes. */
export function createToldBook(): ToldBook {
  let blocks: readonly BlockRef[] = []
  const changedAt = new Map<Address, number>()
  const voided = new Set<Address>()
  const noteEvent = ({ name, addresses, block }: BoardEvent) => {
    for (const address of addresses) {
      if (name === 'retracted' || block === undefined) changedAt.delete(address)
      else changedAt.set(address, block)
      if (name === 'retracted') voided.add(address)
      else voided.delete(address)
    }
    if (name === 'retracted') blocks = blocks.filter(({ number }) => number <= (block ?? -1))
  }
  return {
    note: ({ events, board }) => {
      for (const event of events) noteEvent(event)
      const { atBlock } = board.snapshot
      if (atBlock && blocks.at(-1)?.hash !== atBlock.hash) blocks = [...blocks.slice(1 - blocksMax), atBlock]
    },
    current: () => ({ blocks, changedAt: new Map(changedAt), voided: new Set(voided) }),
  }
}

import type { Address } from '@chainboard/core'
import { describe, expect, it } from 'vitest'
import { alphaSnapshot } from '../testing/priceApi.ts'
import type { BoardEvent, Publication } from './board.ts'
import { createToldBook } from './toldBook.ts'

const [alpha, beta]: readonly [Address, Address] = [`0x${'a1'.repeat(20)}`, `0x${'be'.repeat(20)}`]
const blockOf = (number: number, branch = 'a') => ({
  number,
  hash: `0x${branch}${number}` as const,
  timestampSeconds: 1_700_000_000 + number,
})

/** A board of a block, with what readers were told with it. */
function publish(
  number: number | undefined,
  events: readonly Omit<BoardEvent, 'place' | 'json'>[],
  branch?: string,
): Publication {
  return {
    ...{ seq: 1, epoch: 1 },
    board: {
      snapshot: { ...alphaSnapshot(), atBlock: number === undefined ? undefined : blockOf(number, branch) },
      list: { tokens: [], highlighted: [] },
      holds: new Map(),
      cmc: { rows: undefined, listed: undefined, onChain: undefined },
    },
    events: events.map((event, place) => ({ ...event, place, json: '{}' })),
  }
}

const price = (block: number | undefined, ...addresses: Address[]) => ({ name: 'price' as const, addresses, block })
const retracted = (block: number | undefined, ...addresses: Address[]) => ({ name: 'retracted' as const, addresses, block })

function play(...publications: readonly Publication[]) {
  const book = createToldBook()
  for (const each of publications) book.note(each)
  const { blocks, changedAt, voided } = book.current()
  return { blocks: blocks.map(({ number }) => number), changedAt: [...changedAt], voided: [...voided] }
}

describe('what the next leader knows of the stream', () => {
  it('is at which block each price last changed', () => {
    expect(play(publish(7, [price(7, alpha, beta)]), publish(8, [price(8, beta)]))).toEqual({
      blocks: [7, 8],
      changedAt: [
        [alpha, 7],
        [beta, 8],
      ],
      voided: [],
    })
  })

  it('forgets the block of a price that is no longer of the chain', () => {
    expect(play(publish(7, [price(7, alpha)]), publish(8, [price(undefined, alpha)])).changedAt).toEqual([])
  })

  it('is each block once, and none of a board without one', () => {
    expect(play(publish(undefined, []), publish(7, []), publish(7, []), publish(9, [])).blocks).toEqual([7, 9])
  })

  it('leaves the blocks that the chain has left, and remembers whose price was taken back until it has another', () => {
    const before = [publish(6, [price(6, alpha)]), publish(7, [price(7, alpha, beta)]), publish(8, [])]
    expect(play(...before, publish(6, [retracted(6, alpha, beta)]))).toEqual({
      blocks: [6],
      changedAt: [],
      voided: [alpha, beta],
    })
    expect(play(...before, publish(7, [retracted(6, alpha, beta), price(7, beta)], 'b'))).toEqual({
      blocks: [6, 7],
      changedAt: [[beta, 7]],
      voided: [alpha],
    })
  })

  it('leaves every block where the chain was taken back to none', () => {
    expect(play(publish(6, []), publish(7, []), publish(undefined, [retracted(undefined, alpha)])).blocks).toEqual([])
  })

  it('is of the last 600 blocks', () => {
    const { blocks } = play(...Array.from({ length: 605 }, (_, i) => publish(i + 1, [])))
    expect([blocks.length, blocks[0], blocks.at(-1)]).toEqual([600, 6, 605])
  })

  it('is a copy: a leader that has begun is not changed by what comes later', () => {
    const book = createToldBook()
    book.note(publish(7, [price(7, alpha)]))
    const { changedAt } = book.current()
    book.note(publish(8, [price(8, alpha)]))
    expect(changedAt.get(alpha)).toBe(7)
  })
})

import { expect, it } from 'vitest'
import { toTokenList } from '../market/tokenList.ts'
import { alpha, listed } from '../testing/market.ts'
import { alphaSnapshot } from '../testing/priceApi.ts'
import type { Board } from './board.ts'
import { createBoardReader, decodeEvents, encodeBoard, encodeEvents } from './encodeBoard.ts'

const board: Board = {
  snapshot: alphaSnapshot(),
  list: toTokenList(listed, [alpha]),
  holds: new Map([[alpha, 'newest']]),
  cmc: { rows: { coins: new Map(), pairs: new Map() }, listed: undefined, onChain: undefined },
}

it('a board comes over whole, and its list is one object as long as it is the same', async () => {
  const read = createBoardReader()
  const first = await read(await encodeBoard(board))
  expect(first?.snapshot.markets).toEqual(board.snapshot.markets)
  expect(first?.snapshot.byToken.get(alpha)?.quote?.usdE18).toBe(25n * 10n ** 18n)
  expect(first?.snapshot.markets[1]?.token).toBe(first?.list.tokens[1])
  expect([first?.list, first?.holds, first?.cmc]).toEqual([board.list, board.holds, board.cmc])
  const second = await read(await encodeBoard({ ...board, holds: new Map() }))
  expect(second?.list).toBe(first?.list)
  const other = await read(await encodeBoard({ ...board, list: toTokenList(listed, []) }))
  expect(other?.list.highlighted).toEqual([])
})

it('a board in the form of another version is not read', async () => {
  const { bytes } = await encodeBoard(board)
  expect(await createBoardReader()({ form: 2, bytes })).toBeUndefined()
})

it('events come over in their order, and no events are nothing', async () => {
  const events = [1, 2].map((place) => ({ place, name: 'price' as const, addresses: [alpha], block: 7, json: '{"a":"ü"}' }))
  expect(await decodeEvents(await encodeEvents(events))).toEqual(events)
  expect([await encodeEvents([]), await decodeEvents(undefined)]).toEqual([undefined, []])
})

import { beforeAll, describe, expect, it } from 'vitest'
import { toValuation } from '../networkFile.ts'
import type { Store } from '../store/store.ts'
import { networkFile } from '../testing/market.ts'
import { createTempStores } from '../testing/tempStores.ts'
import { type Book, makeBook } from './book.ts'
import { getEntity } from './entities/entities.ts'
import { parsePage } from './page.ts'
import { rowsMax, type SessionDeps, startSession } from './session.ts'

const stores = createTempStores()
const hash = (byte: string): `0x${string}` => `0x${byte.repeat(32)}`

function bookOf(number: number): Book {
  const block = { number, hash: hash(number.toString(16)), timestampSeconds: number }
  const rows = { deployment: 'chainboard-1', pools: [], tokens: [], days: [] }
  return makeBook({ factory: '0xfa', valuation: toValuation(networkFile) }, { block, ...rows })
}

const newest = bookOf(0x99)

let store: Store
beforeAll(async () => {
  store = await stores.openNew('sqlite')
})

/** A session at block 153, with what it read of earlier blocks and of the node. */
function open(facts: Partial<SessionDeps> = {}) {
  const past: number[] = []
  const asked: (readonly string[])[] = []
  const session = startSession({
    ...{ engine: 'sqlite', db: store.read, readNewest: async () => newest },
    readPast: async (number) => {
      past.push(number)
      return bookOf(number)
    },
    findByHash: async (wanted) => (wanted === hash('97') ? 0x97 : undefined),
    readTransactions: async (hashes) => {
      asked.push(hashes)
      return hashes.map((each) => ({ origin: each.slice(0, 4), gasPrice: '7' }))
    },
    ...facts,
  })
  return { session, past, asked, numberAt: async (block: unknown) => (await session.bookAt(block)).block.number }
}

describe('the block that a list is asked at', () => {
  it('is the newest one when none is named, by its number and by its hash, without reading another', async () => {
    const { past, numberAt } = open()
    for (const block of [undefined, null, {}, { number: 153 }, { hash: hash('99') }, { number_gte: 5 }, { number_gte: 153 }])
      expect([block, await numberAt(block)]).toEqual([block, 153])
    expect(past).toEqual([])
  })

  it('is an earlier one by its number, and by its hash in whatever spelling', async () => {
    const { numberAt } = open()
    expect([await numberAt({ number: 5 }), await numberAt({ hash: hash('97').toUpperCase().replace('X', 'x') })]).toEqual([
      5, 0x97,
    ])
  })

  it.each([
    [{ number: 154 }, 'has only indexed up to block number 153 and data for block number 154 is therefore not yet available'],
    [{ number_gte: 154 }, 'Failed to decode `block.number_gte` value'],
    [{ number: -1 }, 'Failed to decode `block.number` value: `a block number is not negative`'],
    [{ hash: hash('aa') }, 'Failed to decode `block.hash` value: `no block with that hash found`'],
    [{ hash: 'zz' }, 'Failed to decode `Bytes` value: `zz`'],
    [{ number: 'five' }, 'Invalid value provided for argument `block`: Object({"number": String("five")})'],
  ])('is refused as %j', async (block, message) => {
    await expect(open().session.bookAt(block)).rejects.toThrow(message)
  })
})

describe('the lists of one query', () => {
  it('are of one block where they name none, though the index moves on between them', async () => {
    let number = 200
    const readNewest = async () => {
      number += 1
      return bookOf(number)
    }
    const { numberAt } = open({ readNewest })
    expect([await numberAt(undefined), await numberAt(null), await numberAt(undefined)]).toEqual([201, 201, 201])
  })
})

describe('the earlier blocks of one query', () => {
  it('are read once each, by whatever name and however often they are asked for', async () => {
    const { past, numberAt } = open()
    const blocks = [{ number: 0x97 }, { hash: hash('97') }, { number: 0x97 }, { hash: hash('97') }]
    expect(await Promise.all(blocks.map(numberAt))).toEqual([0x97, 0x97, 0x97, 0x97])
    expect(past).toEqual([0x97])
  })

  it('are two at most, and the newest one is none of them', async () => {
    const { session, numberAt } = open()
    expect([await numberAt({ number: 5 }), await numberAt(undefined), await numberAt({ number: 6 })]).toEqual([5, 153, 6])
    await expect(session.bookAt({ number: 7 })).rejects.toThrow('A query may use at most 2 earlier blocks')
    expect([await numberAt({ number: 5 }), await numberAt({ number: 153 })]).toEqual([5, 153])
  })

  it('count for one query alone', async () => {
    for (const block of [5, 6, 7]) expect(await open().numberAt({ number: block })).toBe(block)
  })

  it('stay refused when they could not be read, without another try', async () => {
    let reads = 0
    const readPast = () => {
      reads += 1
      return Promise.reject(new RangeError('the block is gone'))
    }
    const { session } = open({ readPast })
    for (const block of [{ number: 5 }, { number: 5 }]) await expect(session.bookAt(block)).rejects.toThrow('the block is gone')
    expect(reads).toBe(1)
  })
})

describe('the transactions of one query', () => {
  it('are asked of the node together, each once', async () => {
    const { session, asked } = open()
    const found = await Promise.all(['0xaa', '0xbb', '0xaa'].map((each) => session.readTransaction(each)))
    expect(found.map(({ origin }) => origin)).toEqual(['0xaa', '0xbb', '0xaa'])
    await session.readTransaction('0xbb')
    expect(asked).toEqual([['0xaa', '0xbb']])
  })
})

describe('what one query may read', () => {
  it('is counted over all of its lists', async () => {
    await store.write(async (tx) => {
      for (let from = 0; from < 1_000; from += 100) {
        const days = Array.from({ length: 100 }, (_, i) => ({
          ...{ start: (from + i) * 86_400, tvl_usd: '0', native_usd: '0', volume_usd: '0', fees_usd: '0', tx_count: 0 },
        }))
        await tx.insertInto('exchange_days').values(days).execute()
      }
    })
    const { session } = open()
    const days = getEntity('UniswapDayData')
    const page = parsePage(days, { first: 1_000 })
    for (let read = 1_000; read <= rowsMax; read += 1_000) expect(await session.readPage(days, page, newest)).toHaveLength(1_000)
    await expect(session.readPage(days, parsePage(days, { first: 1 }), newest)).rejects.toThrow(
      'The query reads more than 25000 rows: query less at once',
    )
  })

  it('is nothing where a list is to have no entries', async () => {
    const { session } = open()
    const swaps = getEntity('Swap')
    expect(await session.readPage(swaps, parsePage(swaps, { first: 0 }), newest)).toEqual([])
  })
})

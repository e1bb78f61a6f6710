import { fieldsOf } from '@chainboard/core'
import DataLoader from 'dataloader'
import type { Book } from './book.ts'
import type { DerivedField, Entity } from './entity.ts'
import { argumentError, decodeError, GraphRefusal } from './graphError.ts'
import type { Page } from './page.ts'
import { parseValue } from './parseWhere.ts'
import { parentsPerStatement, readChildren } from './readChildren.ts'
import { type Reading, readPage } from './readPage.ts'
import type { Row } from './row.ts'
import { createWorkBudget } from './work.ts'

/** Rows that one query may read. */
export const rowsMax = 25_000

/** Earlier blocks that one query may ask for: each holds all pools and tokens in memory once more. */
export const pastBlocksOfQueryMax = 2

/** What the node says of a transaction: who sent it, and what it paid for a unit of gas, in wei. */
export type SentTransaction = { readonly origin: string; readonly gasPrice: string }

/**
 * Reads transactions from the node, in the order of `hashes`. `ended` stands for the query that asks: what it asks for is counted
 * together, and no more is asked for once it has ended.
 * @throws GraphRefusal when it cannot
 */
export type ReadTransactions = (hashes: readonly string[], ended?: AbortSignal) => Promise<readonly SentTransaction[]>

/** A row as resolvers hand it on: with the book of the block it was asked at. */
export type Node = { readonly row: Row; readonly book: Book }

/** One query's state: one view of the database, and what may still be spent. */
export type Session = {
  /** The book at a `block` argument. */
  bookAt(block: unknown): Promise<Book>
  readPage(entity: Entity, page: Page, book: Book): Promise<Row[]>
  /** Children of one parent; those of its siblings are read in the same statement. */
  readChildren(request: ChildrenRequest): Promise<Row[]>
  readTransaction(hash: string): Promise<SentTransaction>
  /** Counts what is looked through in memory, in the units of `work.ts`. @throws GraphRefusal beyond what a query may */
  spendWork(units: number): void
}

export type ChildrenRequest = {
  /** Names the place in the query: parents of one place are read together. */
  readonly place: string
  readonly field: DerivedField
  readonly entity: Entity
  readonly page: Page
  readonly parentId: string
  readonly book: Book
}

export type SessionDeps = Omit<Reading, 'book' | 'spendRows' | 'spendWork'> & {
  /** The book of the newest block. */
  readonly readNewest: () => Promise<Book>
  /** The book of an earlier block; refuses one that it cannot go back to. */
  readonly readPast: (number: number, newest: Book) => Promise<Book>
  /** The number of a block of the index by its hash. */
  readonly findByHash: (hash: string) => Promise<number | undefined>
  readonly readTransactions: ReadTransactions
}

/** For one query: what it reads is counted together. @throws GraphRefusal from its members beyond the limits */
export function startSession(deps: SessionDeps): Session {
  let rows = 0
  const spendRows = (count: number) => {
    rows += count
    if (rows > rowsMax) throw new GraphRefusal(`The query reads more than ${rowsMax} rows: query less at once`)
  }
  const spendWork = createWorkBudget()
  const loaders = new Map<string, DataLoader<string, Row[]>>()
  const books = new Map<string, Promise<Book>>()
  const readPast = limitPast(deps)
  const transactions = new DataLoader<string, SentTransaction>((hashes) => deps.readTransactions(hashes))
  const read = (book: Book): Reading => ({ ...deps, book, spendRows, spendWork })
  return {
    bookAt: (block) => {
      const key = JSON.stringify(block ?? null)
      const book = books.get(key) ?? chooseBook({ ...deps, readPast }, block)
      books.set(key, book)
      return book
    },
    readPage: (entity, page, book) => readPage(read(book), entity, page),
    readChildren: ({ place, field, entity, page, parentId, book }) => {
      const loader =
        loaders.get(place) ??
        new DataLoader<string, Row[]>((parents) => readChildren(read(book), { entity, column: field.column, page }, parents), {
          maxBatchSize: parentsPerStatement,
        })
      loaders.set(place, loader)
      return loader.load(parentId)
    },
    readTransaction: (hash) => transactions.load(hash),
    spendWork,
  }
}

/** Reads each earlier block once, by whatever name a query calls it, and no more than a query may name. */
function limitPast({ readPast }: SessionDeps): SessionDeps['readPast'] {
  const past = new Map<number, Promise<Book>>()
  return async (number, newest) => {
    const known = past.get(number)
    if (known) return known
    if (past.size >= pastBlocksOfQueryMax)
      throw new GraphRefusal(`A query may use at most ${pastBlocksOfQueryMax} earlier blocks: send one query for each`)
    const book = readPast(number, newest)
    past.set(number, book)
    return book
  }
}

/** The book that a `block` argument asks for, in The Graph's rules. */
async function chooseBook({ readNewest, readPast, findByHash }: SessionDeps, block: unknown): Promise<Book> {
  const newest = await readNewest()
  if (block === null || block === undefined) return newest
  const { hash, number, number_gte: atLeast } = fieldsOf(block)
  if (typeof hash === 'string') {
    const wanted = String(parseValue('Bytes', hash, 'is'))
    if (wanted === newest.block.hash) return newest
    const found = await findByHash(wanted)
    if (found === undefined) throw decodeError('block.hash', 'no block with that hash found')
    return readPast(found, newest)
  }
  const wanted = typeof number === 'number' ? number : typeof atLeast === 'number' ? atLeast : undefined
  if (wanted === undefined) {
    if (Object.keys(block).length === 0) return newest
    throw argumentError('block', block)
  }
  if (wanted < 0) throw decodeError('block.number', 'a block number is not negative')
  if (wanted > newest.block.number) throw notYet(typeof number === 'number' ? 'number' : 'number_gte', wanted, newest)
  return typeof number === 'number' && wanted < newest.block.number ? readPast(wanted, newest) : newest
}

function notYet(argument: string, wanted: number, { block, deployment }: Book): GraphRefusal {
  return decodeError(
    `block.${argument}`,
    `subgraph ${deployment} has only indexed up to block number ${block.number} and data for block number ${wanted} is therefore not yet available`,
  )
}

/** A block that the index has left behind, and cannot show any more. */
export function noLonger(wanted: number, { block, deployment }: Book): GraphRefusal {
  return decodeError(
    'block.number',
    `subgraph ${deployment} keeps the state of few blocks below block number ${block.number} and data for block number ${wanted} is therefore not available`,
  )
}

import { LRUCache } from 'lru-cache'
import type { Db } from '../store/store.ts'
import { type Book, type BookFacts, poolsMax, readBook } from './book.ts'
import { readPastBook } from './readPastBook.ts'

/** Books of earlier blocks that are kept; a client that reads page after page asks for one block again and again. */
const pastKeptMax = 4
/** Pools and tokens of all kept books together: two of the biggest that there may be. */
const pastRowsKeptMax = 4 * poolsMax

/** Keeps books, so that queries of one block share them. */
export type BookKeeper = {
  readNewest(db: Db): Promise<Book>
  /** The book of a block below that of `newest`. @throws GraphRefusal when it is too far back */
  readPast(db: Db, number: number, newest: Book): Promise<Book>
}

/** Keeps nothing yet: the first query reads the newest book. */
export function keepBooks(facts: BookFacts): BookKeeper {
  let known: Book | undefined
  const past = new LRUCache<string, Book>({
    max: pastKeptMax,
    maxSize: pastRowsKeptMax,
    sizeCalculation: ({ pools, tokens }) => pools.size + tokens.size + 1,
  })
  return {
    readNewest: async (db) => {
      known = await readBook(db, facts, known)
      return known
    },
    readPast: async (db, number, newest) => {
      // Under another newest block the chain below may be another one, too.
      const key = `${newest.deployment} ${newest.block.hash} ${number}`
      const book = past.get(key) ?? (await readPastBook(db, number, newest, facts))
      past.set(key, book)
      return book
    },
  }
}

import type { StoreReader } from './store.ts'

/** An index that is read, and from when on it has every event. */
export type ReadableIndex = {
  readonly store: StoreReader
  /** Unix seconds; undefined: it begins with the exchange. */
  readonly sinceSeconds: number | undefined
}

/** The index that answers at the moment. */
export type IndexReader = {
  /** Reads from one index: it stays open until `work` has ended, also when another one takes its place meanwhile. */
  use<T>(work: (index: ReadableIndex) => Promise<T>): Promise<T>
}

/** Which index answers: the whole one, or for a while one of the last days. */
export type IndexSwitch = IndexReader & {
  /** From when on the index that answers has every event; undefined: from the beginning. */
  sinceSeconds(): number | undefined
  /**
   * Lets another index answer.
   * @returns resolves when nobody reads the one before any more: it may be closed then
   */
  serve(index: ReadableIndex): Promise<void>
}

type Held = { readonly index: ReadableIndex; readers: number; readonly idle: PromiseWithResolvers<void>; isRetired: boolean }

/** @param first answers until `serve` names another one */
export function createIndexSwitch(first: ReadableIndex): IndexSwitch {
  let held = hold(first)
  return {
    async use(work) {
      const own = held
      own.readers += 1
      try {
        return await work(own.index)
      } finally {
        own.readers -= 1
        if (own.isRetired && own.readers === 0) own.idle.resolve()
      }
    },
    sinceSeconds: () => held.index.sinceSeconds,
    serve(index) {
      const before = held
      held = hold(index)
      before.isRetired = true
      if (before.readers === 0) before.idle.resolve()
      return before.idle.promise
    },
  }
}

/** An index that begins with the exchange, and always answers. */
export function wholeIndex(store: StoreReader): IndexReader {
  return { use: (work) => work({ store, sinceSeconds: undefined }) }
}

function hold(index: ReadableIndex): Held {
  return { index, readers: 0, idle: Promise.withResolvers<void>(), isRetired: false }
}

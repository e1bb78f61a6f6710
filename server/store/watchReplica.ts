import { Failure } from '@chainboard/core'
import type { IndexReader } from './indexSwitch.ts'
import type { StoreReader } from './store.ts'
import { type BlockRef, findCursor } from './syncCursor.ts'

/** How often a replica is asked how far it is. */
const lookEveryMs = 250
/** What may be a little old is read from a replica that is so far behind, by the time of blocks. */
const behindSecondsMax = 5

/** A copy of the database that PostgreSQL keeps, from which much is read that need not be of this moment. */
export type Replica = {
  /** Reads an index from the replica while that has the block that answers are of; otherwise, or when it fails, from `primary`. */
  instead(primary: IndexReader): IndexReader
  /** Whether it is at most 5 s behind. */
  isNear(): boolean
  close(): Promise<void>
}

type Parts = {
  readonly reader: StoreReader
  /** The block that answers are of now. */
  readonly atBlock: () => BlockRef | undefined
  readonly pause: (ms: number, signal: AbortSignal) => Promise<void>
  readonly log: {
    info(facts: object, text: string): void
    warn(facts: object, text: string): void
    error(facts: object, text: string): void
  }
}

/** Watches how far a replica is until it is closed. It is not used before it is known. */
export function watchReplica({ reader, atBlock, pause, log }: Parts): Replica {
  const stopping = new AbortController()
  const { signal } = stopping
  let cursor: BlockRef | undefined
  let trouble: string | undefined
  const note = (error: unknown) => {
    cursor = undefined
    const isKnown = error instanceof Failure
    const text = isKnown ? error.message : 'a bug'
    if (text !== trouble)
      log[isKnown ? 'warn' : 'error']({ err: error }, 'DATABASE_READ_URL cannot be read; DATABASE_URL serves its reads')
    trouble = text
  }
  const watching = (async () => {
    while (!signal.aborted) {
      try {
        cursor = (await findCursor(reader.read))?.block
        if (trouble !== undefined) log.info({ block: cursor?.number }, 'DATABASE_READ_URL can be read again')
        trouble = undefined
      } catch (error) {
        note(error)
      }
      await pause(lookEveryMs, signal)
    }
  })()
  const hasBlock = () => {
    const wanted = atBlock()
    if (!cursor || !wanted) return false
    // After a reorg it may have another block of that number still.
    return cursor.number === wanted.number ? cursor.hash === wanted.hash : cursor.number > wanted.number
  }
  return {
    instead: (primary) => ({
      use: async (work) => {
        if (!hasBlock()) return primary.use(work)
        try {
          return await work({ store: reader, sinceSeconds: undefined })
        } catch (error) {
          if (!(error instanceof Failure)) throw error
          note(error)
          return primary.use(work)
        }
      },
    }),
    isNear: () => {
      const wanted = atBlock()
      return cursor !== undefined && (wanted?.timestampSeconds ?? 0) - cursor.timestampSeconds <= behindSecondsMax
    },
    close: async () => {
      stopping.abort()
      await watching
      await reader.close()
    },
  }
}

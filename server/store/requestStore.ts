import type { IndexReader } from './indexSwitch.ts'
import type { Store, StoreReader } from './store.ts'

/** The same data for what a request waits for: it fails within seconds where the rest of the server waits on. */
export function toRequestStore<S extends Store | StoreReader>(store: S): S {
  return (store.forRequests as S | undefined) ?? store
}

/** The index that answers, read for requests. */
export function toRequestIndex(index: IndexReader): IndexReader {
  return { use: (work) => index.use((held) => work({ ...held, store: toRequestStore(held.store) })) }
}

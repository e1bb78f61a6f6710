import type { IndexReader } from './indexSwitch.ts'
import type { Store } from './store.ts'

/** The same data for what a request waits for: it fails within seconds where the rest of the server waits on. */
export function toRequestStore(store: Store): Store {
  return store.forRequests ?? store
}

/** The index that answers, read for requests. */
export function toRequestIndex(index: IndexReader): IndexReader {
  return { use: (work) => index.use((held) => work({ ...held, store: held.store.forRequests ?? held.store })) }
}

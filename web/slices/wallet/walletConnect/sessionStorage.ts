import { textOf } from '../../../lib/untrusted.ts'

// What a session needs to outlive a reload: its keys, in the browser's storage of this site. Every attempt has a folder of its own, so that two
// tabs never write over each other's keys, and ending a session leaves nothing.

const prefix = 'walletconnect/'
const activeKey = 'walletconnect'
/** A relay that sends much fills the storage of nobody: a longer entry is not kept. */
const entryCharsMax = 200_000

export type Store = Pick<Storage, 'getItem' | 'setItem' | 'removeItem' | 'key' | 'length'>

/** Which session is this browser's: its folder, and its topic at the relay. */
export type Active = { readonly folder: string; readonly topic: string }

/** The session that this site's tabs share; undefined when there is none. */
export function readActive(store: Store): Active | undefined {
  const active = parse(store.getItem(activeKey))
  const [folder, topic] = [textOf(active, 'folder'), textOf(active, 'topic')]
  return folder !== undefined && topic !== undefined ? { folder, topic } : undefined
}

export function writeActive(store: Store, active: Active): void {
  setItem(store, activeKey, active)
}

/** Forgets the session if it is the one of this folder. */
export function forgetActive(store: Store, folder: string): void {
  if (readActive(store)?.folder === folder) store.removeItem(activeKey)
}

/** Removes what ended attempts have left, of all folders but one. */
export function sweep(store: Store, folder: string | undefined): void {
  for (const key of listKeys(store, prefix)) if (!key.startsWith(`${prefix}${folder}/`)) store.removeItem(key)
}

/** The folder of one attempt, as WalletConnect's client wants it. Once cleared it takes nothing more. */
export function openFolder(store: Store, folder: string) {
  const own = `${prefix}${folder}/`
  let isOpen = true
  return {
    getKeys: async () => listKeys(store, own).map((key) => key.slice(own.length)),
    async getEntries<T>(): Promise<[string, T][]> {
      return listKeys(store, own).map((key) => [key.slice(own.length), parse(store.getItem(key))])
    },
    getItem: async <T>(key: string): Promise<T | undefined> => parse(store.getItem(own + key)),
    async setItem<T>(key: string, value: T): Promise<void> {
      if (isOpen) setItem(store, own + key, value)
    },
    async removeItem(key: string): Promise<void> {
      store.removeItem(own + key)
    },
    clear(): void {
      isOpen = false
      for (const key of listKeys(store, own)) store.removeItem(key)
    },
  }
}

function listKeys(store: Store, start: string): string[] {
  const keys = Array.from({ length: store.length }, (_, place) => store.key(place) ?? '')
  return keys.filter((key) => key.startsWith(start))
}

function setItem(store: Store, key: string, value: unknown): void {
  const text = JSON.stringify(value)
  if (text.length > entryCharsMax) return
  try {
    store.setItem(key, text)
  } catch {
    // The storage is full: the session works, and ends with the page.
  }
}

/** What was stored; undefined for what is not there, or not JSON. */
function parse(text: string | null) {
  try {
    return text === null ? undefined : JSON.parse(text)
  } catch {
    return undefined
  }
}

/** This browser's storage; where it is blocked, one that lasts as long as the page. */
export function findStore(): Store {
  try {
    localStorage.getItem(activeKey)
    return localStorage
  } catch {
    return createMemoryStore()
  }
}

/** A storage that lasts as long as the page. */
export function createMemoryStore(): Store {
  const entries = new Map<string, string>()
  return {
    getItem: (key) => entries.get(key) ?? null,
    setItem: (key, value) => void entries.set(key, value),
    removeItem: (key) => void entries.delete(key),
    key: (place) => [...entries.keys()][place] ?? null,
    get length() {
      return entries.size
    },
  }
}

import type { Refusal } from './keyGate.ts'
import { judgeKey, type KeyState } from './keyIndex.ts'

type Listener = (why: Refusal['code']) => void
/** `hash`: of the key that a check saw first; another one later means that it was rotated. */
type Watched = { readonly listeners: Set<Listener>; hash: string | undefined; expiresAtSeconds: number | undefined }

/** Who wants to know when a key may no longer be used. */
export type Endings = {
  /** @returns unsubscribe */
  listen(id: string, listener: Listener): () => void
  /** Tells all listeners of a principal, each once. */
  end(id: string, why: Refusal['code']): void
  /** Looks a key up in the database, and tells its listeners if it may not be used. A store that does not answer ends nobody. */
  check(id: string): Promise<void>
  /** The same for all that are listened to: another server may have changed them. */
  checkAll(): Promise<void>
  /** Tells the listeners of keys whose time has come. */
  endExpired(): void
}

export function createEndings(findById: (id: string) => Promise<KeyState | undefined>, nowSeconds: () => number): Endings {
  const watched = new Map<string, Watched>()

  const end = (id: string, why: Refusal['code']) => {
    const { listeners } = watched.get(id) ?? { listeners: [] }
    watched.delete(id)
    for (const listener of listeners) listener(why)
  }
  const check = async (id: string): Promise<void> => {
    const before = watched.get(id)
    const state = await findById(id).catch(() => 'unanswered' as const)
    const entry = watched.get(id)
    if (state === 'unanswered' || !entry || entry !== before) return
    const rotated = entry.hash !== undefined && state !== undefined && entry.hash !== state.hash
    const why = rotated ? 'INVALID_API_KEY' : judgeKey(state, nowSeconds())
    if (why) return end(id, why)
    entry.hash = state?.hash
    entry.expiresAtSeconds = state?.expiresAtSeconds
  }
  const checkAll = async () => {
    for (const id of [...watched.keys()]) if (!id.startsWith('client:')) await check(id)
  }
  return {
    listen: (id, listener) => {
      const entry = watched.get(id) ?? { listeners: new Set(), hash: undefined, expiresAtSeconds: undefined }
      watched.set(id, entry)
      entry.listeners.add(listener)
      return () => {
        entry.listeners.delete(listener)
        if (entry.listeners.size === 0 && watched.get(id) === entry) watched.delete(id)
      }
    },
    end,
    check,
    checkAll,
    endExpired: () => {
      const now = nowSeconds()
      for (const [id, { expiresAtSeconds }] of watched) {
        if (expiresAtSeconds !== undefined && expiresAtSeconds <= now) end(id, 'KEY_EXPIRED')
      }
    },
  }
}

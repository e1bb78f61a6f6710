import type { Principal, Refusal } from './keyGate.ts'
import { judgeKey, type KeyState } from './keyIndex.ts'

type Listener = (why: Refusal['code']) => void
/** `hash`: of the key that a listener came with. `unsure`: nobody has been able to say yet whether it may be used. */
type Watched = {
  readonly listeners: Map<Listener, string | undefined>
  expiresAtSeconds: number | undefined
  unsure: boolean
}

/** Who wants to know when a key may no longer be used. */
export type Endings = {
  /** @returns unsubscribe */
  listen(principal: Pick<Principal, 'id' | 'hash'>, listener: Listener): () => void
  /** Tells the listeners of a principal, each once. @param hash those alone that came with this key, where its successor lives on */
  end(id: string, why: Refusal['code'], hash?: string): void
  /** Looks a key up in the database, and tells its listeners if it may not be used. A store that does not answer ends nobody. */
  check(id: string): Promise<void>
  /** The same for all that are listened to: another server may have changed them. */
  checkAll(): Promise<void>
  /** The same for those of whom the store did not tell when it was asked. */
  checkUnsure(): Promise<void>
  /** Tells the listeners of keys whose time has come. */
  endExpired(): void
}

/** Endings without a listener. @param findById the key as the store has it now; undefined for one that is gone */
export function createEndings(findById: (id: string) => Promise<KeyState | undefined>, nowSeconds: () => number): Endings {
  const watched = new Map<string, Watched>()

  const tell = (id: string, listeners: readonly Listener[], why: Refusal['code']) => {
    const entry = watched.get(id)
    const open = listeners.filter((listener) => entry?.listeners.delete(listener))
    if (entry?.listeners.size === 0) watched.delete(id)
    for (const listener of open) listener(why)
  }
  const check = async (id: string): Promise<void> => {
    // A caller that arrives during the query may have a newer key than its result, so it queries again.
    const asked = [...(watched.get(id)?.listeners ?? [])]
    const state = await findById(id).catch(() => 'unanswered' as const)
    const entry = watched.get(id)
    if (!entry) return
    entry.unsure = state === 'unanswered'
    if (state === 'unanswered') return
    entry.expiresAtSeconds = state?.expiresAtSeconds
    const why = judgeKey(state, nowSeconds())
    const told = asked.filter(([, hash]) => why || hash !== state?.hash).map(([listener]) => listener)
    tell(id, told, why ?? 'INVALID_API_KEY')
  }
  const checkThose = async (isMeant: (entry: Watched) => boolean) => {
    const meant = [...watched].filter(([id, entry]) => !id.startsWith('client:') && isMeant(entry))
    for (const [id] of meant) await check(id)
  }
  return {
    listen: ({ id, hash }, listener) => {
      const entry = watched.get(id) ?? { listeners: new Map(), expiresAtSeconds: undefined, unsure: false }
      watched.set(id, entry)
      entry.listeners.set(listener, hash)
      return () => {
        entry.listeners.delete(listener)
        if (entry.listeners.size === 0 && watched.get(id) === entry) watched.delete(id)
      }
    },
    end: (id, why, hash) => {
      const meant = [...(watched.get(id)?.listeners ?? [])].filter(([, used]) => hash === undefined || used === hash)
      tell(
        id,
        meant.map(([listener]) => listener),
        why,
      )
    },
    check,
    checkAll: () => checkThose(() => true),
    checkUnsure: () => checkThose(({ unsure }) => unsure),
    endExpired: () => {
      const now = nowSeconds()
      for (const [id, { expiresAtSeconds, listeners }] of watched) {
        if (expiresAtSeconds !== undefined && expiresAtSeconds <= now) tell(id, [...listeners.keys()], 'KEY_EXPIRED')
      }
    },
  }
}

import type { WireKeyPayment } from '@chainboard/contract'
import type { Operator } from '../operators/operator.ts'
import { type ApiKey, countApiKeys, listApiKeys } from '../store/apiKeys.ts'
import { type KeyDeletion, readKeyDeletions } from '../store/keyDeletions.ts'
import { readQuotas, readQuotaTotals } from '../store/quotas.ts'
import { createKey, updateKey } from './adminKeys.ts'
import { dayNumber } from './dayNumber.ts'
import type { Proof } from './judgeMessage.ts'
import type { KeyDesk } from './keyDesk.ts'
import { maskApiKey } from './keyFormat.ts'
import { judgeKey } from './keyIndex.ts'
import { makeFreeKey } from './makeFreeKey.ts'
import type { KeyEdit, KeyForm } from './parseKeyForm.ts'
import { keepKey, type Removal, removeKey } from './removeKey.ts'

/** A key as an operator sees it. */
export type ListedKey = Omit<ApiKey, 'hash' | 'last4' | 'status' | 'payment' | 'madeAt' | 'signedAtSeconds'> & {
  /** `cb_••••h3Kd` */
  readonly mask: string
  readonly status: 'active' | 'paused' | 'expired'
  /** Requests since midnight UTC. */
  readonly usedToday: number
  readonly payment: WireKeyPayment | undefined
  /** Wanted by one owner, and waiting for a second one. */
  readonly deletion: KeyDeletion | undefined
}

export type KeyStats = {
  readonly keys: number
  readonly activeKeys: number
  readonly activeBasicKeys: number
  /** Of all keys, since midnight UTC. */
  readonly keyRequests: number
  /** Without a key: requests, and clients that made them. */
  readonly sharedRequests: number
  readonly sharedClients: number
}

/** Everything that can be asked of keys but spending them. Failures: a `Failure` whose message is meant for the one who asked. */
export type Keys = {
  /** @returns the key's text, which is kept nowhere. @param client the address that asks. @throws Failure as `makeFreeKey` does */
  makeFreeKey(proof: Proof, client: string): Promise<string>
  // What operators may: whether this one may is looked at before.
  /** The newest first. */
  list(): Promise<ListedKey[]>
  stats(): Promise<KeyStats>
  /** `text`: the key itself, told this once. */
  create(by: Operator, form: KeyForm): Promise<{ readonly text: string; readonly key: ListedKey }>
  /** @param name record id, or the key itself */
  update(by: Operator, name: string, form: KeyEdit): Promise<ListedKey>
  /** @throws Failure as `removeKey` does */
  remove(by: Operator, name: string): Promise<Removal>
  /** Ends the wait for a second owner. */
  keep(by: Operator, name: string): Promise<ListedKey>
}

/** Keys that a list shows; the figures count all of them. */
const listedMax = 10_000

/** What operators can do with keys, and the free key of a wallet. */
export function createKeys(desk: KeyDesk): Keys {
  const { store, service, nowMs, isOwner } = desk
  const nowSeconds = () => nowMs() / 1000
  const today = () => dayNumber(nowSeconds())
  const toListed = (
    { hash: _, madeAt: _place, signedAtSeconds: _signed, last4, ...key }: ApiKey,
    { taken, deletions }: Known,
  ): ListedKey => ({
    ...key,
    mask: maskApiKey(last4),
    status: judgeKey(key, nowSeconds()) === 'KEY_EXPIRED' ? 'expired' : key.status,
    usedToday: Math.max(0, (taken.get(key.id) ?? 0) - service.ledger.unspentOf(key.id)),
    lastUsedAtSeconds: service.lastUse(key.id) ?? key.lastUsedAtSeconds,
    payment: key.payment === undefined ? undefined : parsePayment(key.payment),
    deletion: deletions.get(key.id),
  })
  /** Of who is an owner now. */
  const listWishes = async () => {
    const wishes = await readKeyDeletions(store.read, Math.floor(nowSeconds()))
    return new Map([...wishes].filter(([, { wallet }]) => isOwner(wallet)))
  }
  const read = async (ids: readonly string[]): Promise<Known> => ({
    taken: await readQuotas(store.read, today(), ids),
    deletions: await listWishes(),
  })
  const showOne = async (key: ApiKey) => toListed(key, await read([key.id]))

  return {
    makeFreeKey: (proof, client) => makeFreeKey(desk, proof, client),
    list: async () => {
      const keys = await listApiKeys(store.read, listedMax)
      const known = await read(keys.map(({ id }) => id))
      return keys.map((key) => toListed(key, known))
    },
    stats: async () => {
      const { total, active, activeBasic } = await countApiKeys(store.read, Math.floor(nowSeconds()))
      const { key, shared } = await readQuotaTotals(store.read, today())
      return {
        keys: total,
        activeKeys: active,
        activeBasicKeys: activeBasic,
        keyRequests: Math.max(0, key.taken - service.ledger.unspentOfAll('key')),
        sharedRequests: Math.max(0, shared.taken - service.ledger.unspentOfAll('shared')),
        sharedClients: shared.principals,
      }
    },
    create: async (by, form) => {
      const { text, key } = await createKey(desk, by, form)
      return { text, key: await showOne(key) }
    },
    update: async (by, name, form) => showOne(await updateKey(desk, by, name, form)),
    remove: (by, name) => removeKey(desk, by, name),
    keep: async (by, name) => showOne(await keepKey(desk, by, name)),
  }
}

/** What is known of keys beside their records. */
type Known = { readonly taken: ReadonlyMap<string, number>; readonly deletions: ReadonlyMap<string, KeyDeletion> }

/** @param text as `adminKeys.ts` stored it */
function parsePayment(text: string): WireKeyPayment {
  return JSON.parse(text)
}

import type { WireKeyPayment } from '@chainboard/contract'
import { type AdminAct, listAdminActs } from '../store/adminActs.ts'
import { type ApiKey, countApiKeys, listApiKeys } from '../store/apiKeys.ts'
import { readQuotas, readQuotaTotals } from '../store/quotas.ts'
import { spendMessage } from '../store/spentMessages.ts'
import { recordAct } from './adminActs.ts'
import { createKey, removeKey, updateKey } from './adminKeys.ts'
import { dayNumber } from './dayNumber.ts'
import type { Proof } from './judgeMessage.ts'
import type { KeyDesk } from './keyDesk.ts'
import { maskApiKey } from './keyFormat.ts'
import { judgeKey } from './keyIndex.ts'
import { makeFreeKey } from './makeFreeKey.ts'
import type { KeyEdit, KeyForm } from './parseKeyForm.ts'
import { requireAdmin } from './requireAdmin.ts'

/** A key as an operator sees it. */
export type ListedKey = Omit<ApiKey, 'hash' | 'last4' | 'status' | 'payment' | 'madeAt' | 'signedAtSeconds'> & {
  /** `cb_••••h3Kd` */
  readonly mask: string
  readonly status: 'active' | 'paused' | 'expired'
  /** Requests since midnight UTC. */
  readonly usedToday: number
  readonly payment: WireKeyPayment | undefined
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
  // What operators may: each throws a Failure as `requireAdmin` does.
  logIn(proof: Proof): Promise<void>
  /** The signed message is worth nothing any more, also after a restart. */
  logOut(proof: Proof): Promise<void>
  /** The newest first. */
  list(proof: Proof): Promise<ListedKey[]>
  stats(proof: Proof): Promise<KeyStats>
  /** `text`: the key itself, told this once. */
  create(proof: Proof, form: KeyForm): Promise<{ readonly text: string; readonly key: ListedKey }>
  /** @param name record id, or the key itself */
  update(proof: Proof, name: string, form: KeyEdit): Promise<ListedKey>
  remove(proof: Proof, name: string): Promise<void>
  /** A page of what operators did, the newest first, and whether there are older ones. @param before the id of the last one seen */
  listActs(proof: Proof, before: string | undefined): Promise<{ readonly acts: AdminAct[]; readonly more: boolean }>
}

/** Keys that a list shows; the figures count all of them. */
const listedMax = 10_000
const actsPerPage = 50

/** What operators can do with keys, and the free key of a wallet. */
export function createKeys(desk: KeyDesk): Keys {
  const { store, service, nowMs } = desk
  const nowSeconds = () => nowMs() / 1000
  const today = () => dayNumber(nowSeconds())
  const toListed = (
    { hash: _, madeAt: _place, signedAtSeconds: _signed, last4, ...key }: ApiKey,
    taken: ReadonlyMap<string, number>,
  ): ListedKey => ({
    ...key,
    mask: maskApiKey(last4),
    status: judgeKey(key, nowSeconds()) === 'KEY_EXPIRED' ? 'expired' : key.status,
    usedToday: Math.max(0, (taken.get(key.id) ?? 0) - service.ledger.unspentOf(key.id)),
    lastUsedAtSeconds: service.lastUse(key.id) ?? key.lastUsedAtSeconds,
    payment: key.payment === undefined ? undefined : parsePayment(key.payment),
  })
  const show = async (keys: readonly ApiKey[]): Promise<ListedKey[]> => {
    const ids = keys.map(({ id }) => id)
    const taken = await readQuotas(store.read, today(), ids)
    return keys.map((key) => toListed(key, taken))
  }
  const showOne = async (key: ApiKey) => toListed(key, await readQuotas(store.read, today(), [key.id]))

  return {
    makeFreeKey: (proof, client) => makeFreeKey(desk, proof, client),
    logIn: async (proof) => {
      const { wallet } = await requireAdmin(desk, proof)
      await store.write((tx) => recordAct(tx, wallet, { act: 'login' }, nowMs()))
    },
    logOut: async (proof) => {
      const { wallet, digest, expiresAtSeconds } = await requireAdmin(desk, proof)
      await store.write(async (tx) => {
        await spendMessage(tx, digest, expiresAtSeconds)
        await recordAct(tx, wallet, { act: 'logout' }, nowMs())
      })
    },
    list: async (proof) => {
      await requireAdmin(desk, proof)
      return show(await listApiKeys(store.read, listedMax))
    },
    stats: async (proof) => {
      await requireAdmin(desk, proof)
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
    create: async (proof, form) => {
      const { wallet } = await requireAdmin(desk, proof)
      const { text, key } = await createKey(desk, wallet, form)
      return { text, key: await showOne(key) }
    },
    update: async (proof, name, form) => {
      const { wallet } = await requireAdmin(desk, proof)
      return showOne(await updateKey(desk, wallet, name, form))
    },
    remove: async (proof, name) => {
      const { wallet } = await requireAdmin(desk, proof)
      await removeKey(desk, wallet, name)
    },
    listActs: async (proof, before) => {
      await requireAdmin(desk, proof)
      const acts = await listAdminActs(store.read, actsPerPage + 1, before)
      return { acts: acts.slice(0, actsPerPage), more: acts.length > actsPerPage }
    },
  }
}

/** @param text as `adminKeys.ts` stored it */
function parsePayment(text: string): WireKeyPayment {
  return JSON.parse(text)
}

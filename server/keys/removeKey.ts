import { Failure } from '@chainboard/core'
import type { Operator } from '../operators/operator.ts'
import { type ApiKey, deleteApiKey, lockApiKey } from '../store/apiKeys.ts'
import { deleteKeyDeletion, putKeyDeletion, readKeyDeletions } from '../store/keyDeletions.ts'
import type { Tx } from '../store/store.ts'
import { noSuchKey, parseKeyName, toFacts } from './adminKeys.ts'
import type { KeyDesk } from './keyDesk.ts'

/** `asked`: nothing is deleted yet, a second owner has to ask for it, too. */
export type Removal = 'deleted' | 'asked'

/**
 * The key is gone, with its hash; what it was called stays in the acts. Where two owners have to agree, the first one's call asks for
 * it and the second one's deletes.
 * @throws Failure `not-found`; `conflict` when the same owner asks twice
 */
export async function removeKey(desk: KeyDesk, by: Operator, name: string): Promise<Removal> {
  const { act, service, nowMs, twoOwnersDelete, isOwner } = desk
  const nowSeconds = Math.floor(nowMs() / 1000)
  const { key, removal } = await act(by, async (tx, record): Promise<{ key: ApiKey; removal: Removal }> => {
    const key = await lockApiKey(tx, parseKeyName(name))
    if (!key) throw noSuchKey()
    const wish = (await readKeyDeletions(tx, nowSeconds)).get(key.id)
    // Who is no owner any more has no say.
    const asked = wish && isOwner(wish.wallet) ? wish : undefined
    if (twoOwnersDelete && asked?.wallet === by.wallet)
      throw new Failure('conflict', 'You have already requested this deletion: another owner has to confirm it')
    if (twoOwnersDelete && !asked) {
      await putKeyDeletion(tx, { keyId: key.id, wallet: by.wallet, askedAtSeconds: nowSeconds })
      await record({ act: 'ask-deletion', keyId: key.id, from: toFacts(key) })
      return { key, removal: 'asked' }
    }
    await deleteApiKey(tx, key.id)
    await deleteKeyDeletion(tx, key.id)
    await record({ act: 'delete', keyId: key.id, from: toFacts(key), ...(asked ? { to: { askedBy: asked.wallet } } : {}) })
    return { key, removal: 'deleted' }
  })
  if (removal === 'asked') return removal
  service.index.forget([key.hash])
  service.endings.end(key.id, 'INVALID_API_KEY')
  return removal
}

/** Ends the wait for a second owner: the key stays. @throws Failure `not-found` */
export async function keepKey({ act }: KeyDesk, by: Operator, name: string): Promise<ApiKey> {
  return act(by, async (tx, record) => {
    const key = await lockApiKey(tx, parseKeyName(name))
    if (!key) throw noSuchKey()
    await withdraw(tx, key)
    await record({ act: 'withdraw-deletion', keyId: key.id, from: toFacts(key) })
    return key
  })
}

async function withdraw(tx: Tx, { id }: ApiKey): Promise<void> {
  if (!(await deleteKeyDeletion(tx, id))) throw new Failure('not-found', 'No deletion of this key was requested')
}

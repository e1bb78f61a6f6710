import { randomUUID } from 'node:crypto'
import { Failure } from '@chainboard/core'
import { freeKeySleepsAfterSeconds, freeKeysAwake } from '../budgets/budgets.ts'
import { networkOf } from '../budgets/networkOf.ts'
import { type ApiKey, changeApiKey, countAwakeKeys, insertApiKey, type KeyPlace, lockApiKey } from '../store/apiKeys.ts'
import { isMessageSpent, spendMessage } from '../store/spentMessages.ts'
import type { Tx } from '../store/store.ts'
import { judgeMessage, type Proof } from './judgeMessage.ts'
import type { KeyDesk } from './keyDesk.ts'
import { hashApiKey, lastCharacters, makeApiKey } from './keyFormat.ts'
import { isAsleep } from './sleep.ts'

const freeRequestsPerDay = 1_000

/**
 * The free key of a wallet that proves itself by a signature; the previous one stops working at the same moment, and the day's count continues.
 * A key that sleeps wakes so, and counts for the address that wakes it.
 * @returns the key's text, which is kept nowhere
 * @param client the address that asks
 * @throws Failure as `judgeMessage` and `CheckSignature` do; `conflict` for a message that was used; `forbidden` when the
 * operator has paused the wallet's key; `too-many-attempts` when the address, or its network, has all the keys in use that it may. Nothing of these
 * uses the message up
 */
export async function makeFreeKey(desk: KeyDesk, proof: Proof, client: string): Promise<string> {
  const { store, service, site, checkSignature, hashClient, nowMs } = desk
  const claim = judgeMessage(proof, 'Free API Key', site, nowMs())
  if (await isMessageSpent(store.read, claim.digest)) throw used()
  await checkSignature(claim, { mayBeUndeployed: true })
  const text = makeApiKey()
  const nowSeconds = Math.floor(nowMs() / 1000)
  const made = {
    id: randomUUID(),
    hash: hashApiKey(text),
    last4: lastCharacters(text),
    tier: 'free',
    status: 'active',
    email: '',
    note: '',
    requestsPerDay: freeRequestsPerDay,
    createdAtSeconds: nowSeconds,
    expiresAtSeconds: undefined,
    lastUsedAtSeconds: undefined,
    txHash: undefined,
    payment: undefined,
    wallet: claim.wallet,
    madeAt: { address: hashClient(`free keys of ${client}`), network: hashClient(`free keys of ${networkOf(client)}`) },
    signedAtSeconds: nowSeconds,
  } satisfies ApiKey
  const before = await store.write(async (tx) => {
    if (!(await spendMessage(tx, claim.digest, claim.expiresAtSeconds))) throw used()
    if (!(await insertApiKey(tx, made))) return rotate(tx, made, nowSeconds)
    await requirePlace(tx, made.madeAt, nowSeconds)
    return undefined
  })
  service.index.forget([made.hash, ...(before ? [before.hash] : [])])
  if (before) service.endings.end(before.id, 'INVALID_API_KEY', before.hash)
  return text
}

/**
 * Holds the free keys of an address, and of its network, that are in use against their ceilings. The key is among them already.
 * @throws Failure `too-many-attempts`
 */
async function requirePlace(tx: Tx, { address, network }: KeyPlace, nowSeconds: number): Promise<void> {
  const sinceSeconds = nowSeconds - freeKeySleepsAfterSeconds
  if ((await countAwakeKeys(tx, { address }, sinceSeconds)) > freeKeysAwake.address)
    throw tooMany('address', freeKeysAwake.address)
  if ((await countAwakeKeys(tx, { network }, sinceSeconds)) > freeKeysAwake.network)
    throw tooMany('network', freeKeysAwake.network)
}

/** @returns the key as it was */
async function rotate(tx: Tx, { hash, last4, wallet, madeAt }: ApiKey, nowSeconds: number): Promise<ApiKey> {
  const before = wallet && (await lockApiKey(tx, { wallet }))
  // Deleted by an operator in this very moment.
  if (!before) throw new Failure('busy', 'The key of this wallet is being changed. Try again', { retryable: true })
  if (before.status === 'paused')
    throw new Failure(
      'forbidden',
      'The key of this wallet is paused, and a new one would be too. Contact the operator of this site',
    )
  const isWoken = isAsleep(before, nowSeconds)
  await changeApiKey(tx, before.id, { hash, last4, signedAtSeconds: nowSeconds, ...(isWoken ? { madeAt } : {}) })
  if (isWoken && madeAt) await requirePlace(tx, madeAt, nowSeconds)
  return before
}

function tooMany(of: 'address' | 'network', max: number): Failure {
  return new Failure(
    'too-many-attempts',
    `Your ${of} reached its limit: ${max} free keys created from it are in use. Use a key that you have, or contact the operator of this site`,
  )
}

function used(): Failure {
  return new Failure('conflict', 'This message has already been used: sign a new one')
}

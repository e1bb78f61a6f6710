import { randomUUID } from 'node:crypto'
import { Failure } from '@chainboard/core'
import { type ApiKey, changeApiKey, insertApiKey, lockApiKey } from '../store/apiKeys.ts'
import { isMessageSpent, spendMessage } from '../store/spentMessages.ts'
import type { Tx } from '../store/store.ts'
import { judgeMessage, type Proof } from './judgeMessage.ts'
import type { KeyDesk } from './keyDesk.ts'
import { hashApiKey, lastCharacters, makeApiKey } from './keyFormat.ts'

const freeRequestsPerDay = 1_000
/** First keys of wallets from one address: enough for a firm or a school behind it, and no way to any number of days. */
const keysOfAddressMax = 50
const placeSeconds = 30 * 86_400

/**
 * The free key of a wallet that proves itself by a signature; the one before it dies in the same moment, and its day goes on.
 * @returns the key's text, which is kept nowhere
 * @param client the address that asks
 * @throws Failure as `judgeMessage` and `CheckSignature` do; `conflict` for a message that was used; `forbidden` when the
 * operator has paused the wallet's key; `too-many-attempts` when the address has made all the keys it may. Nothing of these
 * uses the message up
 */
export async function makeFreeKey(desk: KeyDesk, proof: Proof, client: string): Promise<string> {
  const { store, service, site, checkSignature, nowMs } = desk
  const claim = judgeMessage(proof, 'Free API Key', site, nowMs())
  if (await isMessageSpent(store.read, claim.digest)) throw used()
  await checkSignature(claim, { mayBeUndeployed: true })
  const text = makeApiKey()
  const made: ApiKey = {
    id: randomUUID(),
    hash: hashApiKey(text),
    last4: lastCharacters(text),
    tier: 'free',
    status: 'active',
    email: '',
    note: '',
    requestsPerDay: freeRequestsPerDay,
    createdAtSeconds: Math.floor(nowMs() / 1000),
    expiresAtSeconds: undefined,
    lastUsedAtSeconds: undefined,
    txHash: undefined,
    payment: undefined,
    wallet: claim.wallet,
  }
  const before = await store.write(async (tx) => {
    if (!(await spendMessage(tx, claim.digest, claim.expiresAtSeconds))) throw used()
    if (!(await insertApiKey(tx, made))) return rotate(tx, made)
    if (!(await takePlace(tx, desk, client))) throw tooMany()
    return undefined
  })
  service.index.forget([made.hash, ...(before ? [before.hash] : [])])
  if (before) service.endings.end(before.id, 'INVALID_API_KEY', before.hash)
  return text
}

/**
 * Takes one of the address's places for keys of wallets that had none; it comes back after 30 days. Places are kept among the
 * spent messages, under hashes that no message has. @returns whether there was one
 */
async function takePlace(tx: Tx, { hashClient, nowMs }: KeyDesk, client: string): Promise<boolean> {
  const endsAtSeconds = nowMs() / 1000 + placeSeconds
  for (let place = 0; place < keysOfAddressMax; place += 1)
    if (await spendMessage(tx, hashClient(`free key ${place} of ${client}`), endsAtSeconds)) return true
  return false
}

/** @returns the key as it was */
async function rotate(tx: Tx, { hash, last4, wallet }: ApiKey): Promise<ApiKey> {
  const before = wallet && (await lockApiKey(tx, { wallet }))
  // Deleted by an operator in this very moment.
  if (!before) throw new Failure('busy', 'The key of this wallet is being changed. Try again', { retryable: true })
  if (before.status === 'paused')
    throw new Failure(
      'forbidden',
      'The key of this wallet is paused, and a new one would be too. Contact the operator of this site',
    )
  await changeApiKey(tx, before.id, { hash, last4 })
  return before
}

function tooMany(): Failure {
  return new Failure(
    'too-many-attempts',
    `Your address reached its limit: ${keysOfAddressMax} wallets got their first key from it in the last 30 days. Use a key that you have, or contact the operator of this site`,
  )
}

function used(): Failure {
  return new Failure('conflict', 'This message has already been used: sign a new one')
}

import { randomUUID } from 'node:crypto'
import { Failure } from '@chainboard/core'
import { type ApiKey, changeApiKey, insertApiKey, lockApiKey } from '../store/apiKeys.ts'
import { isMessageSpent, spendMessage } from '../store/spentMessages.ts'
import type { Tx } from '../store/store.ts'
import { judgeMessage, type Proof } from './judgeMessage.ts'
import type { KeyDesk } from './keyDesk.ts'
import { hashApiKey, lastCharacters, makeApiKey } from './keyFormat.ts'

const freeRequestsPerDay = 1_000

/**
 * The free key of a wallet that proves itself by a signature; the one before it dies in the same moment, and its day goes on.
 * @returns the key's text, which is kept nowhere
 * @throws Failure as `judgeMessage` and `CheckSignature` do; `conflict` for a message that was used; `forbidden` when the
 * operator has paused the wallet's key. Nothing of these uses the message up
 */
export async function makeFreeKey(desk: KeyDesk, proof: Proof): Promise<string> {
  const { store, service, site, checkSignature, nowMs } = desk
  const claim = judgeMessage(proof, 'Free API Key', site, nowMs())
  if (await isMessageSpent(store.read, claim.digest)) throw used()
  await checkSignature(claim)
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
    return (await insertApiKey(tx, made)) ? undefined : rotate(tx, made)
  })
  service.index.forget([made.hash, ...(before ? [before.hash] : [])])
  if (before) service.endings.end(before.id, 'INVALID_API_KEY', before.hash)
  return text
}

/** @returns the key as it was */
async function rotate(tx: Tx, { hash, last4, wallet }: ApiKey): Promise<ApiKey> {
  const before = wallet && (await lockApiKey(tx, { wallet }))
  // Deleted by an operator in this very moment.
  if (!before) throw new Failure('busy', 'The key of this wallet is being changed; try again', { retryable: true })
  if (before.status === 'paused')
    throw new Failure(
      'forbidden',
      'The key of this wallet is paused: a new one would not work either. Ask whoever runs this site',
    )
  await changeApiKey(tx, before.id, { hash, last4 })
  return before
}

function used(): Failure {
  return new Failure('conflict', 'This message has been used already: sign a new one')
}

import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import type { AccountParts } from '../../server/accounts/accountParts.ts'
import { type Accounts, createAccounts } from '../../server/accounts/createAccounts.ts'
import { createHashQueue, hashQueueLimits } from '../../server/accounts/createHashQueue.ts'
import { createPinQuota } from '../../server/accounts/createPinQuota.ts'
import { createKeyedHash } from '../../server/accounts/keyedHash.ts'
import { changeTotals } from '../../server/store/accountTotals.ts'
import { keepDevice } from '../../server/store/devices.ts'
import { openStore } from '../../server/store/openStore.ts'
import type { Store } from '../../server/store/store.ts'
import { insertUser } from '../../server/store/users.ts'
import { choosePin, type PinChoices } from './pinChoices.ts'

/** A site with users and a simulated clock. */
export type SimWorld = {
  readonly accounts: Accounts
  readonly store: Store
  readonly clock: { seconds: number }
  /** PINs by account. */
  readonly pins: readonly string[]
}

/** The site to simulate. `random`: from 0 to 1. */
export type SimSite = {
  readonly users: number
  readonly choices: PinChoices
  readonly random: () => number
  /** Accounts that an attacker has had for longer than anything is counted, besides the users. */
  readonly madeInAdvance?: number
  /** That all users have signed in from. */
  readonly network?: string
}

/** Unix time at which simulations begin. */
export const startSeconds = 1_800_000_000

/** The name of an account, counted from 0. Without digits, which no PIN may have in common with it. */
export const nameOf = (account: number) => `user-${[...String(account)].map((digit) => 'abcdefghij'[Number(digit)]).join('')}`

/** The server's own accounts on a new store. Only the hash is free: the attacker does not wait for it. */
export async function openSimWorld(
  folder: string,
  { users, choices, random, madeInAdvance = 0, network }: SimSite,
): Promise<SimWorld> {
  const store = await openStore({ file: join(folder, `${randomUUID()}.db`) })
  const clock = { seconds: startSeconds }
  const pins = Array.from({ length: users }, () => choosePin(choices, random()))
  const keyedHash = createKeyedHash('the pepper of a simulation')
  await store.write(async (tx) => {
    for (const [i, pin] of pins.entries()) {
      const user = { id: `id-${i}`, key: nameOf(i), username: nameOf(i), pinHash: `cheap:${pin}`, createdAtSeconds: startSeconds }
      await insertUser(tx, user)
      if (network === undefined) continue
      const device = { userId: user.id, kind: 'network', hash: keyedHash('client', network) } as const
      await keepDevice(tx, device, { seconds: startSeconds, keep: 1 })
    }
    await changeTotals(tx, { users: users + madeInAdvance })
  })
  const parts: AccountParts = {
    store,
    hasher: { hash: async (pin) => `cheap:${pin}`, verify: async (pinHash, pin) => pinHash === `cheap:${pin}` },
    keyedHash,
    queue: createHashQueue(hashQueueLimits, () => clock.seconds),
    quota: createPinQuota(),
    nobodysHash: 'cheap:nobody',
    nowSeconds: () => clock.seconds,
  }
  return { accounts: createAccounts(parts), store, clock, pins }
}

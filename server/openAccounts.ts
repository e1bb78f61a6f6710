import type { AccountParts } from './accounts/accountParts.ts'
import { type Accounts, createAccounts } from './accounts/createAccounts.ts'
import { createHashQueue, hashQueueLimits } from './accounts/createHashQueue.ts'
import { createPinQuota } from './accounts/createPinQuota.ts'
import { createKeyedHash, type KeyedHash } from './accounts/keyedHash.ts'
import { loadPepper } from './accounts/loadPepper.ts'
import { createSignInMethods, type SignInMethods } from './accounts/methods/createSignInMethods.ts'
import type { CheckWallet } from './accounts/methods/methodParts.ts'
import { createPinHasher } from './accounts/pinHash.ts'
import { sweepAccounts } from './accounts/sweepAccounts.ts'
import type { Config } from './config.ts'
import { pause } from './pause.ts'
import type { Store } from './store/store.ts'

const sweepEveryMs = 600_000

export type OpenAccounts = {
  readonly accounts: Accounts
  readonly signInMethods: SignInMethods
  /** Of the pepper, for others who keep addresses as hashes only. */
  readonly keyedHash: KeyedHash
  stop(): Promise<void>
}

/**
 * Accounts on a store: reads or makes the pepper, and removes now and then what has ended.
 * Of several servers on a database one at a time does that, as `maySweep` says.
 * @throws Failure `config-invalid` when the database has users and the pepper is lost
 */
export async function openAccounts(
  { pepper: place, network }: Pick<Config, 'pepper' | 'network'>,
  {
    store,
    requestStore,
    checkWallet,
    maySweep = () => true,
  }: {
    readonly store: Store
    readonly requestStore: Store
    readonly checkWallet: CheckWallet
    readonly maySweep?: () => boolean
  },
  onTrouble: (error: unknown) => void,
): Promise<OpenAccounts> {
  const keyedHash = createKeyedHash(await loadPepper(store, place))
  const hasher = createPinHasher(keyedHash)
  const nowSeconds = () => Math.floor(Date.now() / 1000)
  const parts: AccountParts = {
    store: requestStore,
    hasher,
    keyedHash,
    queue: createHashQueue(hashQueueLimits, nowSeconds),
    quota: createPinQuota(),
    nobodysHash: await hasher.hash('0000'),
    nowSeconds,
  }
  const stopping = new AbortController()
  const sweeping = (async () => {
    while (!stopping.signal.aborted) {
      if (maySweep()) await sweepAccounts({ store, keyedHash, nowSeconds }).catch(onTrouble)
      await pause(sweepEveryMs, stopping.signal)
    }
  })()
  return {
    accounts: createAccounts(parts),
    signInMethods: createSignInMethods({ ...parts, checkWallet, siteName: network.siteName, chainId: network.chain.id }),
    keyedHash,
    stop: async () => {
      stopping.abort()
      await sweeping
    },
  }
}

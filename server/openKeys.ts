import type { Chain } from './chain/chain.ts'
import type { Config } from './config.ts'
import { createSignatureCheck } from './keys/checkSignature.ts'
import { createKeyService } from './keys/createKeyService.ts'
import { createKeys, type Keys } from './keys/createKeys.ts'
import type { KeyGate } from './keys/keyGate.ts'
import { toAddress } from './networkFile.ts'
import type { Act } from './operators/createActs.ts'
import { pause } from './pause.ts'
import type { Store } from './store/store.ts'

const tickEveryMs = 1_000
const sweepEveryTicks = 600

export type OpenKeys = {
  readonly gate: KeyGate
  readonly keys: Keys
  /** Puts unspent permits back. Nothing may be spent after it. */
  stop(): Promise<void>
}

export type OpenKeysParts = {
  readonly store: Store
  readonly chain: Chain
  /** A hash of an address that nobody can turn back without a secret. */
  readonly hashClient: (client: string) => string
  /** Told once of each time in which the store does not answer. */
  readonly onTrouble: (error: unknown) => void
  /** How operators' acts are done. */
  readonly act: Act
  /** Whether what is over is to be removed by this server at the moment. */
  readonly maySweep: () => boolean
}

/** Keys and quotas of one site, kept up to date until they are stopped. */
export function openKeys(
  { network, domain, adminWallets, twoOwnersDelete }: Pick<Config, 'network' | 'domain' | 'adminWallets' | 'twoOwnersDelete'>,
  { store, chain, hashClient, onTrouble, act, maySweep }: OpenKeysParts,
): OpenKeys {
  const service = createKeyService({ store, hashClient, nowMs: Date.now })
  const { usdc, siteName } = network
  const keys = createKeys({
    store,
    service,
    chain,
    checkSignature: createSignatureCheck(chain),
    site: { siteName, domain },
    usdc: { address: toAddress(usdc.address), decimals: usdc.decimals },
    act,
    twoOwnersDelete,
    isOwner: (wallet) => adminWallets.some((each) => each.wallet === wallet && each.role === 'owner'),
    hashClient,
    nowMs: Date.now,
  })
  const stopping = new AbortController()
  const keeping = (async () => {
    let failing = false
    for (let ticks = 0; !stopping.signal.aborted; ticks += 1) {
      try {
        await service.tick()
        if (ticks % sweepEveryTicks === 0 && maySweep()) await service.sweep()
        failing = false
      } catch (error) {
        if (!failing) onTrouble(error)
        failing = true
      }
      await pause(tickEveryMs, stopping.signal)
    }
  })()
  return {
    gate: service.gate,
    keys,
    stop: async () => {
      stopping.abort()
      await keeping
      await service.stop().catch(onTrouble)
    },
  }
}

import { createKeyService, type KeyService } from './keys/createKeyService.ts'
import { pause } from './pause.ts'
import type { Store } from './store/store.ts'

const tickEveryMs = 1_000
const sweepEveryTicks = 600

/**
 * Keys and quotas on a store, kept up to date until they are stopped.
 * @param hashClient a hash of an address that nobody can turn back without a secret
 */
export function openKeys(store: Store, hashClient: (client: string) => string, onTrouble: (error: unknown) => void): KeyService {
  const service = createKeyService({ store, hashClient, nowMs: Date.now })
  const stopping = new AbortController()
  const keeping = (async () => {
    for (let ticks = 0; !stopping.signal.aborted; ticks += 1) {
      await service.tick().catch(onTrouble)
      if (ticks % sweepEveryTicks === 0) await service.sweep().catch(onTrouble)
      await pause(tickEveryMs, stopping.signal)
    }
  })()
  return {
    ...service,
    stop: async () => {
      stopping.abort()
      await keeping
      await service.stop()
    },
  }
}

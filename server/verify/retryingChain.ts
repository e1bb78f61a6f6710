import { setTimeout as pause } from 'node:timers/promises'
import { Failure } from '@chainboard/core'
import type { Chain } from '../chain/chain.ts'

/** A node's limit of calls a minute is waited for so often in a row. */
const waitsMax = 5
const waitMsDefault = 10_000
const waitMsMax = 65_000

/** A node whose rate limit is waited for. @param onWait called with the milliseconds of each wait */
export function toRetryingChain(chain: Chain, onWait: (ms: number) => void): Chain {
  const withRetry = async <T>(ask: () => Promise<T>): Promise<T> => {
    for (let wait = 0; ; wait += 1) {
      try {
        return await ask()
      } catch (error) {
        if (!(error instanceof Failure) || error.code !== 'rpc-rate-limited' || wait >= waitsMax) throw error
        const wanted = Number(error.detail['retryAfterMs'] ?? waitMsDefault)
        const ms = Math.min(waitMsMax, Math.max(1, wanted))
        onWait(ms)
        await pause(ms)
      }
    }
  }
  return {
    ...chain,
    readHeader: (number) => withRetry(() => chain.readHeader(number)),
    readTokens: (addresses) => withRetry(() => chain.readTokens(addresses)),
    readRange: (request) => withRetry(() => chain.readRange(request)),
    forward: (method, params) => withRetry(() => chain.forward(method, params)),
  }
}

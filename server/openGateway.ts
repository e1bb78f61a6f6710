import { Failure } from '@chainboard/core'
import { BulkheadRejectedError, bulkhead } from 'cockatiel'
import type { ApiDeps } from './api/deps.ts'
import type { Chain } from './chain/chain.ts'
import { createViemChain } from './chain/viemChain.ts'

const gatewayTimeoutMs = 5_000
/** A full block of a busy chain fits. */
const answerBytesMax = 4 * 1024 * 1024
/** Calls that the nodes run for strangers at the same time; more wait. */
const callsAtOnceMax = 16
const callsWaitingMax = 400

/** Strangers' way to the nodes: no request and no cool-down of theirs is shared with the site's own reads. */
export function openGatewayChain(rpcUrls: readonly string[]): Chain {
  return createViemChain(rpcUrls, { together: false, timeoutMs: gatewayTimeoutMs, answerBytesMax })
}

/** What `POST /rpc` calls. Fails as `Chain.forward` does, and with `busy` when too many calls wait. */
export function openGateway(chain: Pick<Chain, 'forward'>): ApiDeps['forwardRpc'] {
  const gate = bulkhead(callsAtOnceMax, callsWaitingMax)
  return async (method, params) => {
    try {
      return await gate.execute(() => chain.forward(method, params))
    } catch (error) {
      if (!(error instanceof BulkheadRejectedError)) throw error
      throw new Failure('busy', 'Too many calls to the node. Try again later', { retryable: true, cause: error })
    }
  }
}

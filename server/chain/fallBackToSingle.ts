import { bulkhead } from 'cockatiel'
import { BaseError, HttpRequestError, RpcRequestError } from 'viem'
import type { RpcNode } from './rpcNode.ts'

/** A node that refused a batch is sent single calls for so long, then a batch again: it may have changed. */
const singleMs = 600_000
/** Single calls under way at a time: what would have been one request is no flood of them. */
const atOnceMax = 8

/** Statuses with which servers say that they do not understand a body, rather than that they are down or busy. */
const refusals = new Set([400, 404, 405, 413, 415, 422, 501])

/**
 * Sends calls together until the node refuses a batch, then one by one. A refusal counts only when the same call alone is
 * answered: a node that answers neither fails with what it says to the single call.
 */
export function fallBackToSingle(together: RpcNode, alone: RpcNode, nowMs: () => number): RpcNode {
  // The line is as long as callers wait: each of them waits for its own call.
  const turns = bulkhead(atOnceMax, Number.POSITIVE_INFINITY)
  const askAlone: RpcNode['request'] = (method, params, signal) => turns.execute(() => alone.request(method, params, signal))
  let singleUntilMs = Number.NEGATIVE_INFINITY
  return {
    request: async (method, params, signal) => {
      if (nowMs() < singleUntilMs) return askAlone(method, params, signal)
      try {
        return await together.request(method, params, signal)
      } catch (error) {
        if (!refusesBatch(error)) throw error
        const result = await askAlone(method, params, signal)
        singleUntilMs = nowMs() + singleMs
        return result
      }
    },
  }
}

function refusesBatch(error: unknown): boolean {
  if (!(error instanceof BaseError)) return false
  const http = error.walk((each) => each instanceof HttpRequestError)
  if (http instanceof HttpRequestError) return refusals.has(http.status ?? 0)
  const rpc = error.walk((each) => each instanceof RpcRequestError)
  if (rpc instanceof RpcRequestError) return /\bbatch/i.test(rpc.details)
  // viem takes the answers out of the list by place: where there is no list, or a short one, that is a TypeError.
  return error.walk((each) => each instanceof TypeError) !== null
}

import type { EndpointsOptions } from '../endpoints.ts'
import type { HeaderProof } from '../headerProof.ts'
import { headerMethod, type NodeClient } from '../nodeClient.ts'
import { type Call, readAlso, readRange, readsNamed } from '../readRange.ts'
import { toFailure } from '../toFailure.ts'
import type { HistoryNode } from './historyNode.ts'
import { createLane } from './lane.ts'

type Deps = {
  readonly clock: NonNullable<EndpointsOptions['clock']>
  readonly proof: HeaderProof
  readonly onOutcome?: EndpointsOptions['onOutcome']
  /** What it gave was not true. @returns for how many milliseconds it comes last */
  readonly onDistrust: () => number
}

/** One of a chain's nodes as history is read of it, with a lane of its own. */
export function createHistoryNode(
  { node, place, traits }: NodeClient,
  { clock, proof, onOutcome, onDistrust }: Deps,
): HistoryNode {
  const lane = createLane(clock.nowMs, () => node.waiting?.() ?? 0)
  const read = async <T>(signal: AbortSignal, work: (call: Call) => Promise<T>) => {
    const call: Call = async (method, params) => {
      const askedAtMs = clock.nowMs()
      const answer = await node.request(method, params, signal)
      lane.heard(clock.nowMs() - askedAtMs)
      if (method === headerMethod) proof.check(answer, place)
      return answer
    }
    try {
      return await work(call)
    } catch (error) {
      throw toFailure(error)
    }
  }
  return {
    lane,
    read: async (request, signal) => {
      const range = await read(signal, (call) => readRange(call, request, traits))
      return { range, named: readsNamed(request, traits) }
    },
    readAlso: (range, request, signal) => read(signal, (call) => readAlso(call, range, request, traits)),
    distrust: () => lane.distrust(onDistrust()),
    count: (outcome) => onOutcome?.(place, outcome),
  }
}

import type { Address } from '@chainboard/core'
import type { ChainRange, RangeRequest } from '../chain.ts'
import type { Lane } from './lane.ts'

/** One node as history is read of it. */
export type HistoryNode = {
  readonly lane: Lane
  /** @returns also whether only the logs of named contracts were read */
  read(request: RangeRequest, signal: AbortSignal): Promise<{ readonly range: ChainRange; readonly named: boolean }>
  /** The range with the logs of more contracts. */
  readAlso(range: ChainRange, request: AlsoRequest, signal: AbortSignal): Promise<ChainRange>
  /** What it gave was not true. */
  distrust(): void
  count(outcome: 'answered' | 'failed' | 'outrun'): void
}

export type AlsoRequest = Pick<RangeRequest, 'from' | 'to' | 'topics'> & { readonly addresses: readonly Address[] }

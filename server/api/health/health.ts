import type { Readiness } from '@chainboard/contract'
import type { ApiDeps } from '../deps.ts'
import { createMetrics, type Metrics } from '../metrics.ts'
import { createDrain, type Drain } from './drain.ts'
import { readReadiness } from './readiness.ts'

/** What those who run the server ask of it, whichever port they ask on. */
export type Health = {
  readonly metrics: Metrics
  readonly drain: Drain
  readiness(): Promise<Readiness>
}

export function createHealth(deps: ApiDeps): Health {
  const drain = createDrain()
  return { metrics: createMetrics(deps), drain, readiness: () => readReadiness(deps, drain.isDraining()) }
}

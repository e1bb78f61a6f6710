import type { Readiness } from '@chainboard/contract'
import { createMetrics, type Metrics, type MetricsDeps } from '../metrics.ts'
import { createDrain, type Drain } from './drain.ts'
import { type ReadinessDeps, readReadiness } from './readiness.ts'

/** What those who run the server ask of it, whichever port they ask on. */
export type Health = {
  readonly metrics: Metrics
  readonly drain: Drain
  readiness(): Promise<Readiness>
}

/** What is measured and asked of a server that has not begun to listen. */
export function createHealth(deps: MetricsDeps & ReadinessDeps): Health {
  const drain = createDrain()
  return { metrics: createMetrics(deps), drain, readiness: () => readReadiness(deps, drain.isDraining()) }
}

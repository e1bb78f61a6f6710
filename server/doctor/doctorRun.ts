import type { Finding } from '../finding.ts'
import type { SourceEnv } from '../market/sourceDefinition.ts'
import type { ListedToken } from '../market/tokenList.ts'
import type { NetworkFile } from '../networkFileSchema.ts'
import type { RpcNode } from './node.ts'

/** What is examined: the configuration as the server reads it. */
export type Examined = {
  readonly network: NetworkFile
  readonly tokens: readonly ListedToken[]
  readonly rpcUrls: readonly string[]
  readonly sourceEnv: SourceEnv
}

/** Within what a node is asked: of one call, and of everything. */
export type Limits = Pick<DoctorRun, 'callTimeoutMs' | 'signal'>

/** What every check is given. `say` reports a finding as soon as it is known. */
export type DoctorRun = {
  readonly examined: Examined
  readonly callTimeoutMs: number
  readonly nowSeconds: () => number
  readonly say: (finding: Finding) => void
  /** Aborted when the time of the whole run is over. */
  readonly signal: AbortSignal
}

/** A node that the further checks can rely on, with its newest block's number. */
export type UsableNode = RpcNode & { readonly headNumber: number }

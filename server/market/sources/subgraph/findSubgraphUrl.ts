import type { NetworkFile } from '../../../networkFile.ts'
import type { SourceEnv } from '../../sourceDefinition.ts'

/** Where the remote subgraph is: a URL that may hold a secret. Undefined: there is none. */
export function findSubgraphUrl({ subgraphUrl }: Pick<NetworkFile, 'subgraphUrl'>, env: SourceEnv): string | undefined {
  return env['SUBGRAPH_URL'] || subgraphUrl
}

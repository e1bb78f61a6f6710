import { type Static, type TObject, Type } from 'typebox'
import { httpUrl } from '../../../networkFields.ts'
import type { SourceEnv } from '../../sourceDefinition.ts'

/** Any Uniswap v3 subgraph of this exchange; SUBGRAPH_URL stands in where the URL holds a key. */
export const subgraphFile = { subgraphUrl: Type.Optional(httpUrl) }

/** Where the remote subgraph is: a URL that may hold a secret. Undefined: there is none. */
export function findSubgraphUrl({ subgraphUrl }: Static<TObject<typeof subgraphFile>>, env: SourceEnv): string | undefined {
  return env['SUBGRAPH_URL'] || subgraphUrl
}

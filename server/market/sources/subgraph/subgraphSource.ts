import { Failure, type RouteRules } from '@chainboard/core'
import { answerFromPools } from '../../answerFromPools.ts'
import type { PriceSource, SourceAnswer, SourceReading } from '../../source.ts'
import { readBook } from '../../subgraph/readBook.ts'
import { readHead } from '../../subgraph/readHead.ts'
import { type PoolScope, readPools } from '../../subgraph/readPools.ts'
import type { SubgraphClient } from '../../subgraph/subgraphClient.ts'
import type { ListedToken } from '../../tokenList.ts'

/** Tokens of the list that are asked for, in its order. */
const tokensMax = 5_000

/**
 * Prices from a Uniswap v3 subgraph, at the last block it has read: all that one reading says is of one block. It knows the
 * pools of listed tokens, of stable ones and of the wrapped native; on an exchange where these are too many (over 10,000 for
 * 200 tokens on one side) only those between two of them. A reading costs 4 questions, and one more for about every
 * fifteen pools on the routes.
 */
export function createSubgraphSource(client: SubgraphClient, options: RouteRules): PriceSource {
  let scope: PoolScope = 'any'
  const readOnce = async (tokens: readonly ListedToken[]): Promise<SourceReading> => {
    const { stables, wrappedNative, quotes } = options
    const atBlock = await readHead(client)
    const listed = tokens.map(({ id }) => id)
    const known = [...new Set([...stables, wrappedNative, ...quotes, ...listed])]
    const pools = await readPools(client, { known, scope, atBlockNumber: atBlock.number })
    if (!pools) {
      scope = 'both'
      return readOnce(tokens)
    }
    return answerFromPools(await readBook(client, pools, { ...options, atBlock, listed }), tokens)
  }
  return {
    name: 'subgraph',
    read: async (tokens) => {
      const asked = tokens.slice(0, tokensMax)
      const { atBlock, answers } = await readOnce(asked).catch((error: unknown) => {
        // Behind one URL may stand several servers, of which the next one asked is not at that block yet.
        if (error instanceof Failure && error.code === 'upstream-refused' && error.retryable) return readOnce(asked)
        throw error
      })
      return { atBlock, answers: new Map([...answers, ...tokens.slice(tokensMax).map(({ id }) => [id, notAsked] as const)]) }
    },
  }
}

const notAsked: SourceAnswer = {
  kind: 'unpriced',
  reasons: [`The server requests only the first ${tokensMax} tokens of the list`],
  displayPool: undefined,
}

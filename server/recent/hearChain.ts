import type { Chain } from '../chain/chain.ts'

/** The chain, with a call of `onAnswer` at each answer of its nodes that a stage reads. */
export function hearChain(chain: Chain, onAnswer: () => void): Chain {
  const hear = <A extends readonly unknown[], T>(ask: (...args: A) => Promise<T>) => {
    return async (...args: A) => {
      const answer = await ask(...args)
      onAnswer()
      return answer
    }
  }
  return {
    ...chain,
    ...{ readHead: hear(chain.readHead), readHeader: hear(chain.readHeader), forward: hear(chain.forward) },
    async *readHistory(request) {
      for await (const range of chain.readHistory(request)) {
        onAnswer()
        yield range
      }
    },
  }
}

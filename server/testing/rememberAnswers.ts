import type { Chain } from '../chain/chain.ts'

/** A node of a chain that stands still: what it answered once it is not asked again. */
export function rememberAnswers(chain: Chain): Chain {
  const known = new Map<string, Promise<unknown>>()
  const once = <T>(question: readonly unknown[], ask: () => Promise<T>): Promise<T> => {
    const key = JSON.stringify(question)
    const answer = known.get(key) ?? ask()
    known.set(key, answer)
    return answer as Promise<T>
  }
  return {
    ...chain,
    readChainId: () => once(['chain'], () => chain.readChainId()),
    readHeader: (number) => once(['header', number], () => chain.readHeader(number)),
    readRange: (request) => once(['range', request], () => chain.readRange(request)),
    readTokens: (addresses) => once(['tokens', addresses], () => chain.readTokens(addresses)),
    forward: (method, params) => once([method, params], () => chain.forward(method, params)),
  }
}

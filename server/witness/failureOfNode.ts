import { Failure } from '@chainboard/core'

/**
 * For a `catch` behind which a node that fails or refuses only counts as one without an answer.
 * @throws what is no failure of a node: one of the store, or a bug of ours
 */
export function failureOfNode(error: unknown): Failure {
  if (error instanceof Failure && error.code.startsWith('rpc-')) return error
  throw error
}

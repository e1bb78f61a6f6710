import { Failure } from '@chainboard/core'

/** For those who do not wait as long for the chain as others do. @throws Failure `rpc-unavailable` when there is no answer after `ms` */
export async function within<T>(ms: number, answer: Promise<T>): Promise<T> {
  const { promise: late, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => reject(new Failure('rpc-unavailable', `No response within ${ms} ms`, { retryable: true })), ms)
  return Promise.race([answer, late]).finally(() => clearTimeout(timer))
}

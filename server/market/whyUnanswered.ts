import { fieldsOf, findErrorCode } from '@chainboard/core'

/**
 * Why a request got no answer. The text of the error may quote the URL, which may hold a key: its code has to do.
 * @param late for one that was ended by its time limit
 * @param broken for a connection that failed without a code
 */
export function whyUnanswered(error: unknown, { late, broken }: { readonly late: string; readonly broken: string }): string {
  const { name, cause } = fieldsOf(error)
  return name === 'TimeoutError' ? late : (findErrorCode(cause) ?? broken)
}

import { Failure } from '@chainboard/core'

/** What cannot be counted or looked up now. @param text for the caller */
export function toBusy(text: string): Failure {
  return new Failure('busy', text, { retryable: true, detail: { retryAfterSeconds: 1 } })
}

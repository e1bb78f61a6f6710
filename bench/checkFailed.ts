/** What was measured is wrong, or not good enough. The message says so to the person at the terminal: it is shown without a stack. */
export class CheckFailed extends Error {
  override readonly name = 'CheckFailed'
}

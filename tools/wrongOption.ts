/** An option that a command cannot take. The message names it, what was found and what is expected: it is shown without a stack. */
export class WrongOption extends Error {
  override readonly name = 'WrongOption'
}

/** Whether an error is about what somebody typed: one of ours, or of `parseArgs`. */
export function isWrongOption(error: unknown): error is Error {
  if (error instanceof WrongOption) return true
  return error instanceof Error && 'code' in error && String(error.code).startsWith('ERR_PARSE_ARGS')
}

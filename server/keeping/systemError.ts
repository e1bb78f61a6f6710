/** Whether an error is one of a call to the operating system: `code` says which, as `ENOENT`. */
export function isSystemError(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && 'code' in error
}

import { readField } from './readField.ts'

/** The `code` that the system, PostgreSQL and Node give their errors: `ENOENT`, `55P03`. Undefined of anything without such a text. */
export function findErrorCode(error: unknown): string | undefined {
  const code = readField(error, 'code')
  return typeof code === 'string' ? code : undefined
}

import { fieldsOf } from './fields.ts'

/** The `code` that the system, PostgreSQL and Node give their errors: `ENOENT`, `55P03`. Undefined of anything without such a text. */
export function findErrorCode(error: unknown): string | undefined {
  const { code } = fieldsOf(error)
  return typeof code === 'string' ? code : undefined
}

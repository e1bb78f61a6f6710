import { Failure } from '@chainboard/core'

const nameLengthMax = 40

/** A field of what came as JSON; undefined where there is none. */
export function fieldOf(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined
  const fields: Readonly<Record<string, unknown>> = { ...value }
  return fields[name]
}

/**
 * What a user calls a passkey or a wallet: one line, 40 characters at most.
 * @param otherwise for none
 * @throws Failure `request-invalid`
 */
export function parseMethodName(value: unknown, otherwise: string): string {
  if (value === undefined || value === null || value === '') return otherwise
  if (typeof value !== 'string') throw new Failure('request-invalid', `name: found ${typeof value}, expected text`)
  const name = value.trim()
  if (name.length > nameLengthMax || !name.isWellFormed() || /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u.test(name))
    throw new Failure('request-invalid', `name: expected one line of ${nameLengthMax} characters at most`)
  return name === '' ? otherwise : name
}

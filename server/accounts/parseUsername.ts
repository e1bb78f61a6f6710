import { Failure } from '@chainboard/core'

const lengthMax = 32
const foundLengthMax = 40

/** A name as it was typed, and the `key` by which it is unique: names that differ in case are one. */
export type Username = { readonly username: string; readonly key: string }

/**
 * 1 to 32 of `A-Z a-z 0-9 _ . -`. Which of them look alike says `toNameSkeleton`. `.` and `..` are none: no browser asks for such a path.
 * @throws Failure `request-invalid`
 */
export function parseUsername(value: unknown): Username {
  if (value === undefined || value === null || (typeof value === 'string' && value.trim() === ''))
    throw new Failure('request-invalid', 'Username is required')
  const found = findUsername(value)
  if (found) return found
  const shown = JSON.stringify(typeof value === 'string' ? value.slice(0, foundLengthMax) : typeof value)
  const wanted = `1 to ${lengthMax} letters (A-Z), digits, underscores, dots or dashes`
  throw new Failure('request-invalid', `Username: found ${shown}, expected ${wanted}`)
}

/** {@link parseUsername} for names that somebody asks about: undefined for what nobody can be called. */
export function findUsername(value: unknown): Username | undefined {
  if (typeof value !== 'string' || value.length > lengthMax || !/^[A-Za-z0-9_.-]+$/.test(value) || /^\.\.?$/.test(value))
    return undefined
  return { username: value, key: value.toLowerCase() }
}

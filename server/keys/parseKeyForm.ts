import { daySeconds, Failure } from '@chainboard/core'
import type { ApiKey, KeyChange } from '../store/apiKeys.ts'

/** What operators type, as it came. */
export type KeyForm = {
  readonly email?: unknown
  readonly tier?: unknown
  readonly expiresAt?: unknown
  readonly requestsPerDay?: unknown
  readonly note?: unknown
  readonly txHash?: unknown
}
export type KeyEdit = {
  readonly status?: unknown
  readonly requestsPerDay?: unknown
  readonly expiresAt?: unknown
  readonly note?: unknown
}

type NewKey = Pick<ApiKey, 'email' | 'tier' | 'expiresAtSeconds' | 'requestsPerDay' | 'note' | 'txHash'>

const requestsDefault = 10_000
const requestsMax = 10_000_000
const basicDays = 30
const emailLengthMax = 254
const noteLengthMax = 500
/** All but tabs and line breaks. PostgreSQL keeps no NUL, and nobody can read the others. */
const controlCharacter = /(?![\t\n\r])\p{Cc}/u
const givenTiers = ['basic', 'custom', 'forever'] as const

/** @throws Failure `request-invalid` with the text for the form */
export function parseKeyForm({ email, tier, expiresAt, requestsPerDay, note, txHash }: KeyForm, nowSeconds: number): NewKey {
  const parsedTier = parseTier(tier)
  return {
    email: parseEmail(email),
    tier: parsedTier,
    expiresAtSeconds: parsedTier === 'forever' ? undefined : parseFirstExpiry(expiresAt, parsedTier, nowSeconds),
    requestsPerDay: isEmpty(requestsPerDay) ? requestsDefault : parseRequests(requestsPerDay),
    note: parseNote(note),
    txHash: parseTxHash(txHash),
  }
}

/**
 * What a form changes of a key; what is as it was is not in it.
 * @throws Failure `request-invalid`; `conflict` for what this key cannot be
 */
export function parseKeyEdit(key: ApiKey, form: KeyEdit, nowSeconds: number): KeyChange {
  if (Object.values(form).every((value) => value === undefined))
    throw invalid('Nothing to change: expected status, requestsPerDay, expiresAt or note')
  const status = form.status === undefined ? key.status : parseStatus(form.status)
  const requestsPerDay = form.requestsPerDay === undefined ? key.requestsPerDay : parseRequests(form.requestsPerDay)
  const note = form.note === undefined ? key.note : parseNote(form.note)
  const expiresAtSeconds = form.expiresAt === undefined ? key.expiresAtSeconds : parseNextExpiry(key, form.expiresAt, nowSeconds)
  if (form.status === 'active' && expiresAtSeconds !== undefined && expiresAtSeconds <= nowSeconds)
    throw new Failure('conflict', 'The key has expired: set a later expiry date')
  return {
    ...(status !== key.status && { status }),
    ...(requestsPerDay !== key.requestsPerDay && { requestsPerDay }),
    ...(note !== key.note && { note }),
    ...(expiresAtSeconds !== key.expiresAtSeconds && { expiresAtSeconds }),
  }
}

function parseTier(value: unknown): (typeof givenTiers)[number] {
  if (isEmpty(value)) return 'basic'
  const tier = givenTiers.find((each) => each === value)
  if (!tier) throw invalid(`tier: expected one of ${givenTiers.join(', ')}`)
  return tier
}

function parseStatus(value: unknown): ApiKey['status'] {
  if (value === 'active' || value === 'paused') return value
  throw invalid('status: expected active or paused')
}

function parseEmail(value: unknown): string {
  const email = typeof value === 'string' ? value.trim() : ''
  if (email === '') throw invalid('Email is required')
  if (email.length > emailLengthMax || !/^[^\s@\p{C}]+@[^\s@\p{C}]+\.[^\s@\p{C}]+$/u.test(email))
    throw invalid('email: expected an address like name@example.org')
  return email
}

function parseRequests(value: unknown): number {
  if (typeof value === 'number' && Number.isInteger(value) && value >= 1 && value <= requestsMax) return value
  throw invalid('requestsPerDay: expected a whole number from 1 to 10,000,000')
}

function parseNote(value: unknown): string {
  if (isEmpty(value)) return ''
  if (typeof value !== 'string') throw invalid('note: expected a text')
  if (value.length > noteLengthMax) throw invalid(`note: found ${value.length} characters, expected ${noteLengthMax} at most`)
  const control = value.match(controlCharacter)?.[0]
  if (control !== undefined)
    throw invalid(`note: found the control character ${nameCharacter(control)}, expected text and line breaks`)
  return value
}

function nameCharacter(character: string): string {
  return `U+${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}`
}

function parseTxHash(value: unknown): string | undefined {
  if (isEmpty(value)) return undefined
  if (typeof value === 'string' && /^0x[0-9a-fA-F]{64}$/.test(value)) return value.toLowerCase()
  throw invalid('txHash: expected a transaction, 0x and 64 hexadecimal digits')
}

function parseFirstExpiry(value: unknown, tier: 'basic' | 'custom', nowSeconds: number): number | undefined {
  if (!isEmpty(value)) return parseFuture(value, nowSeconds)
  return tier === 'basic' ? Math.floor(nowSeconds) + basicDays * daySeconds : undefined
}

function parseNextExpiry({ tier, expiresAtSeconds }: ApiKey, value: unknown, nowSeconds: number): number | undefined {
  if (isEmpty(value)) return undefined
  if (tier === 'free' || tier === 'forever') throw new Failure('conflict', `Keys of tier ${tier} do not expire`)
  // A form that knows days only gives back the day that it was shown.
  const shown = expiresAtSeconds === undefined ? '' : new Date(expiresAtSeconds * 1000).toISOString()
  if (value === shown.slice(0, 10) || parseMoment(value) === expiresAtSeconds) return expiresAtSeconds
  return parseFuture(value, nowSeconds)
}

function parseFuture(value: unknown, nowSeconds: number): number {
  const seconds = parseMoment(value)
  if (seconds <= nowSeconds) throw invalid('expiresAt: expected a date in the future')
  return seconds
}

const dayOrMoment = /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:\d{2}))?$/

/** A day is its first moment in UTC. */
function parseMoment(value: unknown): number {
  const ms = typeof value === 'string' && dayOrMoment.test(value) && isDay(value.slice(0, 10)) ? Date.parse(value) : Number.NaN
  if (Number.isNaN(ms)) throw invalid('expiresAt: expected a date like 2027-01-31 or 2027-01-31T12:00:00Z')
  return Math.floor(ms / 1000)
}

/** Whether the calendar has it: JavaScript takes 2027-02-30 for the second of March. */
function isDay(day: string): boolean {
  const ms = Date.parse(day)
  return !Number.isNaN(ms) && new Date(ms).toISOString().startsWith(day)
}

/** What a form sends for a field that was left alone. */
function isEmpty(value: unknown): boolean {
  return value === undefined || value === null || value === ''
}

function invalid(text: string): Failure {
  return new Failure('request-invalid', text)
}

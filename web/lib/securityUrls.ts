import { apiUrl } from './apiUrl.ts'

// Apart from `urls.ts`, so that they come with the pages that need them.

/** Where an account is logged in, and what happened to it. */
export function securityUrl(username: string): string {
  return apiUrl('/api/users/:username/security', { username })
}

/** Where the PIN is changed. */
export function pinUrl(username: string): string {
  return apiUrl('/api/users/:username/pin', { username })
}

/** Where recovery codes are made. */
export function recoveryCodesUrl(username: string): string {
  return apiUrl('/api/users/:username/recovery-codes', { username })
}

/** Where a recovery code sets a new PIN. */
export function recoverUrl(username: string): string {
  return apiUrl('/api/users/:username/recover', { username })
}

/** All devices of an account but this one. */
export function devicesUrl(username: string): string {
  return apiUrl('/api/users/:username/devices', { username })
}

/** One device of an account. */
export function deviceUrl(username: string, id: string): string {
  return apiUrl('/api/users/:username/devices/:id', { username, id })
}

/** Something that happened to an account. */
export function noticeUrl(username: string, id: string): string {
  return apiUrl('/api/users/:username/notices/:id', { username, id })
}

/** Where a code for another device is made. */
export function signInCodeUrl(username: string): string {
  return apiUrl('/api/users/:username/sign-in-code', { username })
}

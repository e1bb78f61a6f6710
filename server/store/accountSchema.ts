// The tables of accounts. They are nobody's index: what a chain does never touches them. Times are unix seconds.

import type { Address } from '@chainboard/core'
import type { Generated } from 'kysely'

/** `key` is the username in lower case, by which it is unique. A row of another table with an `id` that is gone means nothing. */
export type UsersTable = { id: string; key: string; username: string; pin_hash: string; created_at: number }

/** Wallets or favourite tokens of users, in lower case; `position` grows in the order in which they were added. */
export type UserAddressesTable = { user_id: string; address: Address; position: number }

/** How many users have a token in their favourites; a token that nobody has has no row. */
export type FavoriteCountsTable = { token: Address; users: number }

/** How many users have names that look like that. */
export type NameSkeletonsTable = { skeleton: string; users: number }

/** A signed-in browser, by the SHA-256 of what its cookie holds. `browser_hash` is its row of `devices`. */
export type SessionsTable = {
  token_hash: string
  user_id: string
  expires_at: number
  started_at: Generated<number>
  /** `Firefox on Linux`; empty when it was not said. */
  browser_name: Generated<string>
  browser_hash: string | null
}

/** Where a user has signed in before: a browser by the SHA-256 of its cookie, a network by a keyed hash of its address. */
export type DevicesTable = {
  user_id: string
  kind: 'browser' | 'network'
  hash: string
  seen_at: number
  /** Of a browser. */
  name: Generated<string>
}

/** A code that sets a new PIN, once, by an HMAC with the pepper. */
export type RecoveryCodesTable = { code_hash: string; user_id: string }

/** What happened to an account, to tell its owner in other sessions than the one that did it. */
export type AccountNoticesTable = {
  id: string
  user_id: string
  at: number
  kind: 'signIn' | 'pinChanged' | 'recovered' | 'pinReset' | 'codesMade' | 'passkeyAdded' | 'walletLinked' | 'easyPin'
  browser_name: string
  session_hash: string
}

/** A code that lets its user try the PIN from anywhere for some minutes, by its SHA-256. */
export type SignInCodesTable = { code_hash: string; user_id: string; expires_at: number }

/** Failed PINs of one subject: when they will all be forgotten, and until when it has to wait. */
export type PinFailuresTable = { subject: string; empty_at: number; blocked_until: number }

/** Users of today who registered on a UTC day, `2026-11-21`. */
export type RegistrationDaysTable = { day: string; users: number }

/** Sums that the statistics would otherwise count rows for. */
export type AccountTotalsTable = { name: string; value: number }

/** By what the pepper is recognised that the PINs were hashed with. One row. */
export type PepperMarkTable = { id: number; mark: string }

/** A passkey of a user: `credential_id` and `public_key` in base64url, `transports` with commas between. */
export type PasskeysTable = {
  id: string
  user_id: string
  credential_id: string
  public_key: string
  sign_count: number
  transports: string
  name: string
  created_at: number
  last_used_at: number | null
}

/** A wallet whose signature signs its user in. The wallets that a user watches are others. */
export type SignInWalletsTable = {
  address: Address
  user_id: string
  name: string
  created_at: number
  last_used_at: number | null
}

export type AccountSchema = {
  users: UsersTable
  user_wallets: UserAddressesTable
  favorites: UserAddressesTable
  favorite_counts: FavoriteCountsTable
  name_skeletons: NameSkeletonsTable
  sessions: SessionsTable
  devices: DevicesTable
  sign_in_codes: SignInCodesTable
  recovery_codes: RecoveryCodesTable
  account_notices: AccountNoticesTable
  passkeys: PasskeysTable
  sign_in_wallets: SignInWalletsTable
  pin_failures: PinFailuresTable
  registration_days: RegistrationDaysTable
  account_totals: AccountTotalsTable
  pepper_mark: PepperMarkTable
}

import type { WireApiKey, WireKeyPayment } from '@chainboard/contract'
import { formatDate, formatRelativeTime, shortenAddress, toDisplayText } from '@chainboard/core'

// What a key of the list reads on screen.

export const never = 'Never'
export const neverExpires = 'Never ∞'

export const statusTexts = { active: 'Active', paused: 'Paused', expired: 'Expired' } as const
export const tierTexts = { free: 'Free', basic: 'Basic', custom: 'Custom', forever: 'Forever' } as const

/** Whose key it is: an e-mail, or the wallet of a free one. */
export function describeOwner({ email, wallet }: Pick<WireApiKey, 'email' | 'wallet'>): string {
  if (email) return toDisplayText(email, 'No email', 254)
  return wallet ? shortenAddress(wallet) : 'No email'
}

/** `2026-11-22T10:00:00.000Z` -> `Nov 22, 2026` */
export function describeDay(moment: string): string {
  return formatDate(Date.parse(moment) / 1000)
}

/** `Nov 22, 2026`, or that it never ends. */
export function describeExpiry({ expiresAt }: Pick<WireApiKey, 'expiresAt'>): string {
  return expiresAt === null ? neverExpires : describeDay(expiresAt)
}

/** `5m ago`, or that it was never used. */
export function describeLastUse({ lastUsed }: Pick<WireApiKey, 'lastUsed'>, nowSeconds: number): string {
  return lastUsed === null ? never : formatRelativeTime(Date.parse(lastUsed) / 1000, nowSeconds)
}

/** What the chain said of the payment, in one line. */
export function describePayment({ status, transfers }: WireKeyPayment): string {
  if (status === 'unknown') return 'Could not check the chain'
  if (status === 'missing') return 'Not found on the chain'
  if (status === 'failed') return 'Reverted: nothing was paid'
  const [first, ...others] = transfers
  if (!first) return 'No USDC moved'
  const more = others.length > 0 ? `, and ${others.length} more` : ''
  return `${first.amount} USDC from ${shortenAddress(first.payer)} to ${shortenAddress(first.recipient)}${more}`
}

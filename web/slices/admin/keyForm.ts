import type { WireApiKey, WireKeyTier } from '@chainboard/contract'

// What operators type, and what of it goes to the server. The server looks at all of it once more.

export type NewKeyForm = {
  readonly email: string
  readonly tier: Exclude<WireKeyTier, 'free'>
  /** `2026-12-31`, a day in UTC, or empty. */
  readonly expiresAt: string
  readonly requestsPerDay: string
  readonly note: string
  readonly txHash: string
}

export type KeyEditForm = Pick<NewKeyForm, 'requestsPerDay' | 'expiresAt' | 'note'>

/** What a form for a new key begins with. */
export const emptyForm: NewKeyForm = { email: '', tier: 'basic', expiresAt: '', requestsPerDay: '10000', note: '', txHash: '' }

const requestsMax = 10_000_000

/** `10,000` -> 10000; undefined for what is no whole number from 1 to 10,000,000. */
export function parseRequests(text: string): number | undefined {
  const plain = text.replaceAll(/[\s,]/g, '')
  const value = /^\d+$/.test(plain) ? Number.parseInt(plain, 10) : 0
  return value >= 1 && value <= requestsMax ? value : undefined
}

export type FormErrors = Partial<Record<keyof NewKeyForm, string>>

/** What is wrong, by field; empty when nothing is. `today` is a day in UTC. */
export function checkForm(form: Partial<NewKeyForm>, today: string): FormErrors {
  const { email, expiresAt, requestsPerDay, txHash } = form
  return {
    ...(email !== undefined &&
      !/^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(email.trim()) && { email: 'Enter an address like name@example.org' }),
    ...(requestsPerDay !== undefined &&
      parseRequests(requestsPerDay) === undefined && { requestsPerDay: 'Enter a whole number from 1 to 10,000,000' }),
    ...(expiresAt && form.tier !== 'forever' && expiresAt <= today && { expiresAt: 'Enter a day in the future' }),
    ...(txHash && !/^0x[0-9a-fA-F]{64}$/.test(txHash.trim()) && { txHash: 'Enter 0x followed by 64 hexadecimal digits' }),
  }
}

/** The body of a new key; what was left empty stays the server's to decide. */
export function toNewKey({ email, tier, expiresAt, requestsPerDay, note, txHash }: NewKeyForm) {
  return {
    email: email.trim(),
    tier,
    expiresAt: tier === 'forever' || expiresAt === '' ? null : expiresAt,
    requestsPerDay: parseRequests(requestsPerDay),
    note: note.trim(),
    txHash: txHash.trim(),
  }
}

/** Whether a key can have a day on which it ends. */
export function canExpire(tier: WireKeyTier): boolean {
  return tier === 'basic' || tier === 'custom'
}

/** What a form for a key begins with. */
export function toEditForm({ requestsPerDay, expiresAt, note }: WireApiKey): KeyEditForm {
  return { requestsPerDay: String(requestsPerDay), expiresAt: expiresAt?.slice(0, 10) ?? '', note }
}

/** The body of a changed key. A key that cannot end has no day in it. */
export function toKeyEdit(key: WireApiKey, { requestsPerDay, expiresAt, note }: KeyEditForm) {
  return {
    requestsPerDay: parseRequests(requestsPerDay),
    note: note.trim(),
    ...(canExpire(key.tier) && { expiresAt: expiresAt === '' ? null : expiresAt }),
  }
}

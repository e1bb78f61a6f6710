import { createHmac } from 'node:crypto'

/** What a hash is about: a counter, a PIN, a recovery code, a challenge, an act, a stream. */
type Label = 'pin' | 'recovery' | 'guess' | 'client' | 'nobody' | 'mark' | 'quota' | 'challenge' | 'act' | 'stream'

/** A hash that nobody can work out, or try values against, without the pepper: 64 hexadecimal digits. */
export type KeyedHash = (label: Label, text: string) => string

/** HMAC-SHA-256 of label and text. @param pepper the secret of `loadPepper` */
export function createKeyedHash(pepper: string): KeyedHash {
  return (label, text) => createHmac('sha256', pepper).update(`${label}:${text}`).digest('hex')
}

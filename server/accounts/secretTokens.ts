import { createHash, randomBytes } from 'node:crypto'

const tokenBytes = 32
/** Letters and digits that nobody confuses when reading them aloud. */
const codeAlphabet = '23456789ABCDEFGHJKLMNPQRSTUVWXYZ'
const codeLength = 10
const recoveryLength = 12

/** What a cookie holds: 43 characters that cannot be guessed. */
export function makeToken(): string {
  return randomBytes(tokenBytes).toString('base64url')
}

/** What a person copies from one screen to another: ten characters of 32, 50 bits. `7KQ2M-XW4PR` */
export function makeSignInCode(): string {
  const code = [...randomBytes(codeLength)].map((byte) => codeAlphabet[byte % codeAlphabet.length]).join('')
  return `${code.slice(0, codeLength / 2)}-${code.slice(codeLength / 2)}`
}

/** What a person keeps on paper: twelve characters of 32, 60 bits. `7KQ2-XW4P-R9HM` */
export function makeRecoveryCode(): string {
  const code = [...randomBytes(recoveryLength)].map((byte) => codeAlphabet[byte % codeAlphabet.length]).join('')
  return code.replace(/(.{4})(?=.)/g, '$1-')
}

/** How secrets are stored. They are long enough that the plain hash cannot be turned back. */
export function hashToken(token: string): string {
  return createHash('sha256').update(token).digest('hex')
}

/** However it is typed: small letters, blanks and dashes do not matter. */
export function hashSignInCode(code: string): string {
  return hashToken(code.toUpperCase().replaceAll(/[^A-Z0-9]/g, ''))
}

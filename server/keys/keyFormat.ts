import { hash, randomBytes } from 'node:crypto'
import { crc32 } from 'node:zlib'

const prefix = 'cb_'
const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const randomLength = 32
/** 62^6 is more than 2^32: all of a CRC-32. */
const checksumLength = 6
/** Characters of a key. */
export const apiKeyLength = prefix.length + randomLength + checksumLength
const shape = /^cb_[0-9A-Za-z]{38}$/
/** Bytes from here on would make the first characters of the alphabet likelier. */
const fairBytesMax = alphabet.length * Math.floor(256 / alphabet.length)

/** A new key: `cb_`, 32 random characters of 62 (190 bits), 6 of checksum. */
export function makeApiKey(): string {
  let random = ''
  while (random.length < randomLength) {
    for (const byte of randomBytes(randomLength)) {
      if (byte < fairBytesMax && random.length < randomLength) random += alphabet[byte % alphabet.length]
    }
  }
  return prefix + random + toChecksum(random)
}

/** Whether a text can be a key of ours: what is mistyped, cut or made up is told without a look at the database. */
export function isApiKey(text: string): boolean {
  if (!shape.test(text)) return false
  const random = text.slice(prefix.length, prefix.length + randomLength)
  return toChecksum(random) === text.slice(prefix.length + randomLength)
}

/** How keys are stored and found. They are long enough that the plain hash cannot be turned back. */
export function hashApiKey(key: string): string {
  return hash('sha256', key, 'hex')
}

/** What is kept of a key to recognize it by: its last four characters. */
export function lastCharacters(key: string): string {
  return key.slice(-4)
}

/** What a key looks like in lists: `cb_••••h3Kd`. */
export function maskApiKey(last4: string): string {
  return `${prefix}••••${last4}`
}

function toChecksum(random: string): string {
  let left = crc32(random)
  let text = ''
  for (let i = 0; i < checksumLength; i += 1) {
    text = alphabet[left % alphabet.length] + text
    left = Math.floor(left / alphabet.length)
  }
  return text
}

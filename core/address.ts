import { Failure, type FailureCode } from './failure.ts'

/** A 20-byte account or contract address, lower case. Checksummed spellings exist in token lists and on the wire only. */
export type Address = `0x${string}`

/** Bytes in hexadecimal: hashes, log data. Lower case. */
export type Hex = `0x${string}`

/** `0xAbC…` -> `0xabc…`; `undefined` for what is no address. Checksums are not verified. */
export function parseAddress(text: string): Address | undefined {
  return /^0x[0-9a-fA-F]{40}$/.test(text) ? toLowerHex(text) : undefined
}

/** `0xAbC…` -> `0xabc…`, of a text that has to be an address. @throws Failure of that code for what is none */
export function requireAddress(text: string, code: FailureCode): Address {
  const address = parseAddress(text)
  if (!address) throw new Failure(code, `Found ${text}, expected an address`)
  return address
}

/** Whether two texts spell the same bytes, whatever their checksums. One that is not there is like no other. */
export function isSameHex(one: string | null | undefined, other: string | null | undefined): boolean {
  return !!one && one.toLowerCase() === other?.toLowerCase()
}

/** The address at the end of a word of 32 bytes, as topics of logs have it. @param word 0x and 64 hexadecimal digits */
export function wordToAddress(word: string): Address {
  return `0x${word.slice(26).toLowerCase()}`
}

/** `0xAbC…` -> `0xabc…`. @param text 0x and hexadecimal digits, as a schema has checked */
export function toLowerHex(text: string): Hex {
  return `0x${text.slice(2).toLowerCase()}`
}

/** A 20-byte account or contract address, lower case. Checksummed spellings exist in token lists and on the wire only. */
export type Address = `0x${string}`

/** Bytes in hexadecimal: hashes, log data. Lower case. */
export type Hex = `0x${string}`

/** `0xAbC…` -> `0xabc…`; `undefined` for what is no address. Checksums are not verified. */
export function parseAddress(text: string): Address | undefined {
  return /^0x[0-9a-fA-F]{40}$/.test(text) ? toLowerHex(text) : undefined
}

/** `0xAbC…` -> `0xabc…`. @param text 0x and hexadecimal digits, as a schema has checked */
export function toLowerHex(text: string): Hex {
  return `0x${text.slice(2).toLowerCase()}`
}

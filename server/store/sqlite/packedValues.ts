// How SQLite stores the long values of the big tables. Callers see text, as from PostgreSQL: `packedColumns.ts` says which columns these are.

/** Numbers below 2^47 either way are SQLite's own integers, of up to 6 bytes. */
const integerEnd = 2n ** 47n
/** Any number of so many characters is below that. */
const integerLength = 14
const wordBits = 64n
const wordBytes = 8
/** The longest number is one of 256 bits without a sign: four words, and one for the sign. */
const scratch = new Uint8Array(5 * wordBytes)
const words = new DataView(scratch.buffer)
const bitsOfDigit = 4
/** Hexadecimal digits from 8 on begin a negative number. */
const firstNegative = '8'.charCodeAt(0)

/** A whole number as SQLite stores it: an integer, or the fewest bytes that hold it as two's complement, the highest first. */
export type PackedNumber = number | Uint8Array

/** @param text a whole number in decimal digits */
export function packNumber(text: string): PackedNumber {
  if (text.length <= integerLength) return Number(text)
  const value = BigInt(text)
  return value < integerEnd && value >= -integerEnd ? Number(value) : toBytes(value)
}

/** A packed number as SQLite hands it out: its bytes are hexadecimal digits. */
export type HexNumber = number | string

/** @returns decimal digits */
export function unpackNumber(packed: HexNumber): string {
  return typeof packed === 'number' ? String(packed) : toBigInt(packed).toString()
}

function toBytes(value: bigint): Uint8Array {
  let [rest, at] = [value, scratch.length]
  const end = value < 0n ? -1n : 0n
  do {
    at -= wordBytes
    words.setBigInt64(at, BigInt.asIntN(Number(wordBits), rest))
    rest >>= wordBits
  } while (rest !== end)
  const sign = value < 0n ? 0xff : 0
  const isSigned = (first: number) => (scratch[first] ?? 0) >> 7 === sign >> 7
  if (isSigned(at)) {
    while (scratch[at] === sign && isSigned(at + 1)) at += 1
  } else {
    at -= 1
    scratch[at] = sign
  }
  return scratch.slice(at)
}

function toBigInt(hex: string): bigint {
  const value = BigInt(`0x${hex}`)
  return hex.charCodeAt(0) < firstNegative ? value : value - (1n << BigInt(hex.length * bitsOfDigit))
}

const hexPattern = /^0x(?:[0-9a-f]{2})+$/

/** Lower-case hexadecimal as its bytes; any other text stays as it is, so that none is lost. */
export function packHex(text: string): string | Uint8Array {
  return hexPattern.test(text) ? Buffer.from(text.slice(2), 'hex') : text
}

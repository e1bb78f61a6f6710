import { type Address, Failure, parseAddress } from '@chainboard/core'

const foundLengthMax = 60

/**
 * An address that a user typed, in lower case. Checksums are not verified.
 * @throws Failure `request-invalid` with the field, what was found and what is wanted
 */
export function parseUserAddress(field: string, value: unknown): Address {
  const address = typeof value === 'string' ? parseAddress(value) : undefined
  if (address) return address
  const found =
    value === undefined
      ? 'nothing'
      : value === null
        ? 'null'
        : JSON.stringify(typeof value === 'string' ? value.slice(0, foundLengthMax) : typeof value)
  throw new Failure('request-invalid', `${field}: found ${found}, expected an address: 0x and 40 hexadecimal digits`)
}

import { type Address, type Hex, parseAddress } from '@chainboard/core'
import { isHex } from 'viem'
import { NotMeasured } from './notMeasured.ts'

/** `0xAbC…` -> `0xabc…`. @throws NotMeasured for what is no address */
export function toAddress(text: string | undefined): Address {
  const address = parseAddress(text ?? '')
  if (!address) throw new NotMeasured(`Found ${text}, expected an address`)
  return address
}

/** A hash or other bytes of a node. @throws NotMeasured for what is not hexadecimal */
export function toHex(text: unknown): Hex {
  if (!isHex(text)) throw new NotMeasured(`Found ${text}, expected hexadecimal`)
  return text
}

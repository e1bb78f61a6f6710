import { Type } from 'typebox'
import { addressPattern } from './shapes.ts'

// What receipts are made of. Amounts are exact texts, since JSON numbers are not.

/** Of a token or a pool, in any case of letters. */
export const address = Type.String({ pattern: addressPattern, description: 'an address' })
/** Depths: of a token without decimals they may be large. */
export const decimalText = Type.String({ pattern: '^\\d{1,70}(\\.\\d{1,18})?$', description: 'a decimal number as a text' })
/** No price is above a nonillion. */
export const priceText = Type.String({ pattern: '^\\d{1,31}(\\.\\d{1,18})?$', description: 'a price as a text' })
/** An amount in smallest units, or a sqrtPriceX96. */
export const wholeText = Type.String({ pattern: '^\\d{1,60}$', description: 'a whole number as a text' })
/** Of a token. 77 is the most that fits 256 bits. */
export const decimals = Type.Integer({ minimum: 0, maximum: 77, description: 'a whole number from 0 to 77' })
const blockNumber = Type.Integer({ minimum: 0, description: 'a block number' })
/** A moment of the chain's clock. */
export const seconds = Type.Integer({ description: 'unix seconds' })

/** The block that a receipt is of. */
export const blockSchema = Type.Object({
  number: blockNumber,
  hash: Type.String({ pattern: '^0x[0-9a-fA-F]{64}$' }),
  timestamp: seconds,
})

/** A SHA-256: docs/prices/verify.md says of which text. */
export const checksumText = Type.String({ pattern: '^[0-9a-f]{64}$' })

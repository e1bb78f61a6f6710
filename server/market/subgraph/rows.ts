import { Failure } from '@chainboard/core'
import { type TSchema, Type } from 'typebox'
import { Compile } from 'typebox/compile'
import { decimalPattern, numberLengthMax } from './decimal.ts'

// The scalars of a subgraph: BigInt, BigDecimal, Bytes and ID are JSON strings, Int is a number; either is taken for a number.

const problemsShownMax = 3

/** Larger numbers have lost digits on the way, and from 10^21 on are written with an exponent. */
const exactInteger = Type.Integer({ minimum: Number.MIN_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER })
/** A BigInt or an Int. */
export const wholeNumber = Type.Union([Type.String({ pattern: '^-?[0-9]+$', maxLength: numberLengthMax }), exactInteger])
/** A BigDecimal. As a JSON number it is the nearest double. */
export const decimalNumber = Type.Union([Type.String({ pattern: decimalPattern, maxLength: numberLengthMax }), Type.Number()])
/** Bytes of an address, in any case of letters. */
export const address = Type.String({ pattern: '^0x[0-9a-fA-F]{40}$' })
/** 32 bytes, in any case of letters. */
export const txHash = Type.String({ pattern: '^0x[0-9a-fA-F]{64}$' })
/** Any text: what is no sound number of decimals makes the token uncountable, not the answer invalid. */
export const tokenDecimals = Type.Union([Type.String({ maxLength: numberLengthMax }), Type.Integer(), Type.Null()])

/** Pools know their tokens' decimals, so every row that is asked for with its pool can be counted by itself. */
export const poolOfRow = Type.Object({
  id: address,
  token0: Type.Object({ decimals: tokenDecimals }),
  token1: Type.Object({ decimals: tokenDecimals }),
})
/** Selects what `poolOfRow` checks. */
export const poolOfRowFields = 'pool { id token0 { decimals } token1 { decimals } }'

/**
 * Checks rows of one kind and decodes them; rows that decode to undefined are left out.
 * @throws Failure `upstream-invalid` that names the first fields that are wrong
 */
export function createRowReader<S extends TSchema, Row>(
  schema: S,
  decode: (row: Type.Static<S>) => Row | undefined,
): (rows: readonly unknown[]) => Row[] {
  const list = Compile(Type.Array(schema))
  return (rows) => {
    if (!list.Check(rows)) {
      const fields = list.Errors(rows).slice(0, problemsShownMax)
      throw new Failure('upstream-invalid', 'The subgraph returned rows in an unknown format', {
        detail: { fields: fields.map(({ instancePath, message }) => `${instancePath}: ${message}`) },
        retryable: true,
      })
    }
    return rows.flatMap((row) => decode(row as Type.Static<S>) ?? [])
  }
}

const decimalsMax = 255

/** undefined for what no token contract can answer; older subgraphs kept even such answers. */
export function toDecimals(value: string | number | null): number | undefined {
  const decimals = value === null || value === '' ? Number.NaN : Number(value)
  return Number.isInteger(decimals) && decimals >= 0 && decimals <= decimalsMax ? decimals : undefined
}

import { newDaysMax, tokenMoves, tokenSorts } from '@chainboard/core'
import { readColumns } from './tableLook.ts'

/** Something in an address that the table does not understand. */
export type Ignored = { readonly name: string; readonly value: string; readonly expected: string }

type Rule = { readonly isKnown: (value: string) => boolean; readonly expected: string }

const isOneOf = (known: readonly string[]) => (value: string) => known.includes(value)
const isWithin = (low: number, high: number, isWhole: boolean) => (value: string) => {
  const number = Number(value)
  return value.trim() !== '' && number >= low && number <= high && (!isWhole || Number.isInteger(number))
}
const yesOrNo: Rule = { isKnown: isOneOf(['0', '1']), expected: '0 or 1' }

const rules: Readonly<Record<string, Rule>> = {
  sort: { isKnown: isOneOf(tokenSorts), expected: 'an order like priceDesc or change1hAsc' },
  page: { isKnown: isWithin(1, 100_000, true), expected: 'a whole number from 1' },
  verified: yesOrNo,
  warned: yesOrNo,
  liquidityMin: { isKnown: isWithin(0, 1e15, false), expected: 'US dollars, from 0' },
  newDays: { isKnown: isWithin(1, newDaysMax, true), expected: `days, 1 to ${newDaysMax}` },
  move: { isKnown: isOneOf(tokenMoves), expected: tokenMoves.join(' or ') },
  columns: {
    isKnown: (value) => value === '' || readColumns(value)?.split('.').length === value.split('.').length,
    expected: 'column names separated by dots, like h1.d7.liquidity',
  },
  rows: { isKnown: isOneOf(['dense', 'comfortable']), expected: 'dense or comfortable' },
}

/** What of an address the table ignores, with what it would understand. What is not about the table is nobody's business here. */
export function findIgnored(address: URLSearchParams): readonly Ignored[] {
  return Object.entries(rules).flatMap(([name, { isKnown, expected }]) => {
    const value = address.get(name)
    return value === null || isKnown(value) ? [] : [{ name, value, expected }]
  })
}

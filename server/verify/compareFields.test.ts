import { expect, it } from 'vitest'
import { compareFields } from './compareFields.ts'

const [a, b] = [`0x${'a'.repeat(40)}`, `0x${'b'.repeat(40)}`]

it('a field that only one of two objects has is a difference', () => {
  expect(compareFields({ known: 1, added: 'x' }, { known: 1 })).toEqual([{ what: 'added', served: 'x', found: 'none' }])
  expect(compareFields({ known: 1 }, { known: 1, part: { added: 2 } })).toEqual([
    { what: 'part', served: 'none', found: '{"added":2}' },
  ])
})

it('fields of parts and of entries are named with where they are', () => {
  const served = { part: { value: 1 }, pools: [{ pool: a, fee: 1 }], route: [{ pool: a, fee: 1 }], list: ['x'] }
  const found = { part: { value: 2 }, pools: [{ pool: a, fee: 2 }], route: [{ pool: a, fee: 2 }], list: ['x', 'y'] }
  expect(compareFields(served, found)).toEqual([
    { what: 'part.value', served: '1', found: '2' },
    { what: `fee of ${a}`, served: '1', found: '2' },
    { what: `route.fee of ${a}`, served: '1', found: '2' },
    { what: 'list', served: 'x', found: 'x, y' },
  ])
})

it('an entry that is there twice, and one that is left out, are differences; their order is one in a route', () => {
  const [one, other] = [{ pool: a }, { pool: b, weightUsd: '7' }]
  expect(compareFields({ pools: [one, one] }, { pools: [one, other] })).toEqual([
    { what: 'pools', served: `${a} counts`, found: 'that it does not' },
    { what: 'pools', served: `nothing of ${b}`, found: 'that it was left out, with a weight of 7 US dollars' },
  ])
  expect(compareFields({ pools: [other, one] }, { pools: [one, other] })).toEqual([])
  expect(compareFields({ route: [other, one] }, { route: [one, other] })).toEqual([
    { what: 'route', served: `${b}, ${a}`, found: `${a}, ${b}` },
  ])
})

it('an address may be written in either case, a name may not', () => {
  expect(compareFields({ token: '0xAB', symbol: 'X' }, { token: '0xab', symbol: 'X' })).toEqual([])
  expect(compareFields({ symbol: 'USDC' }, { symbol: 'usdc' })).toHaveLength(1)
})

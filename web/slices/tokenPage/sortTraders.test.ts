import { expect, test } from 'vitest'
import { formatNet, sortTraders } from './sortTraders.ts'

const traders = [
  { wallet: 'mostly even', boughtUsd: 7_580, soldUsd: 7_560 },
  { wallet: 'seller', boughtUsd: 1_960, soldUsd: 8_030 },
  { wallet: 'buyer', boughtUsd: 8_820, soldUsd: 1_130 },
]
const order = (sort: 'total' | 'bought' | 'sold' | 'net') => sortTraders(traders, sort).map(({ wallet }) => wallet)

test('who sold most of a token is found by a sort, and the list stays as the server ranks it without one', () => {
  expect(order('total')).toEqual(['mostly even', 'seller', 'buyer'])
  expect(order('sold')).toEqual(['seller', 'mostly even', 'buyer'])
  expect(order('bought')).toEqual(['buyer', 'mostly even', 'seller'])
  expect(order('net')).toEqual(['buyer', 'seller', 'mostly even'])
})

test('a net figure says which way it went', () => {
  expect([formatNet(22.74), formatNet(-5.96), formatNet(0), formatNet(0.004)]).toEqual(['+$22.74', '-$5.96', '$0.00', '$0.00'])
})

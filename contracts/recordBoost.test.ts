import { expect, test } from 'vitest'
import { recordBoost } from './recordBoost.ts'

const record = { address: '0x5FC8d32690cc91D4c39d9d3abcBD16989F875707', startBlock: 42 }

test('the boost contract gets a line after USDC, and nothing else changes', () => {
  const text = '{\n  "siteName": "A",\n  "usdc": { "address": "0x1", "decimals": 6 },\n  "links": [ ]\n}\n'
  expect(recordBoost(text, record)).toBe(
    '{\n  "siteName": "A",\n  "usdc": { "address": "0x1", "decimals": 6 },\n  "boost": { "address": "0x5FC8d32690cc91D4c39d9d3abcBD16989F875707", "startBlock": 42 },\n  "links": [ ]\n}\n',
  )
})

test('another boost contract takes the place of the last one', () => {
  const text = '{\n  "usdc": { "decimals": 6 },\n  "boost": { "address": "0x2", "startBlock": 1 },\n  "links": [ ]\n}\n'
  expect(recordBoost(text, record)).toBe(
    '{\n  "usdc": { "decimals": 6 },\n  "boost": { "address": "0x5FC8d32690cc91D4c39d9d3abcBD16989F875707", "startBlock": 42 },\n  "links": [ ]\n}\n',
  )
})

test('a file that is written otherwise is not touched, and the line to add is told', () => {
  expect(() => recordBoost('{"usdc":{}}', record)).toThrow(
    '"boost": { "address": "0x5FC8d32690cc91D4c39d9d3abcBD16989F875707", "startBlock": 42 },',
  )
})

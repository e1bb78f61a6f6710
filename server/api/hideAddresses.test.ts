import { expect, it } from 'vitest'
import { hideAddresses } from './hideAddresses.ts'

const wallet = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'
const hash = `0x${'ab'.repeat(32)}`

it.each([
  [
    `{"reqId":"a-1","msg":"The balances of ${wallet} cannot be read"}`,
    '{"reqId":"a-1","msg":"The balances of 0x… cannot be read"}',
  ],
  // balanceOf(wallet), as an error of the node's client quotes it.
  [
    `{"err":{"message":"data: 0x70a08231${'0'.repeat(24)}${wallet.slice(2).toLowerCase()}"}}`,
    '{"err":{"message":"data: 0x70a082310x…"}}',
  ],
  [`{"reqId":"a-1","block":"${hash}"}`, `{"reqId":"a-1","block":"${hash}"}`],
  [`{"contract":"${wallet}","msg":"Boosts are read again"}`, `{"contract":"${wallet}","msg":"Boosts are read again"}`],
])('%s', (line, written) => {
  expect(hideAddresses(line)).toBe(written)
})

import { expect, it } from 'vitest'
import { networkOf } from './networkOf.ts'

it.each([
  ['2001:db8:1:2::/64', '2001:db8:1::/48'],
  ['2001:db8:1:ffff::/64', '2001:db8:1::/48'],
  ['2001:db8:2:2::/64', '2001:db8:2::/48'],
  ['192.0.2.1', '192.0.2.0/24'],
  ['192.0.3.1', '192.0.3.0/24'],
  ['a name', 'a name'],
])('%s is in %s', (client, network) => {
  expect(networkOf(client)).toBe(network)
})

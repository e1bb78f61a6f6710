import { expect, it } from 'vitest'
import { findKeyless, mayHoldKey } from './findKeyless.ts'

it('a user name, a query, and a part of a path that is no plain word may be a key', () => {
  const keyed = [
    'https://node.example/v3/9aa3d95b3bc440fa88ea12eaa4456161',
    'https://node.example/abcDEF1',
    'https://node.example/?apikey=x',
    'https://user:pass@node.example/',
    'https://node.example/#k',
  ]
  const plain = [
    'https://forno.celo.org',
    'https://rpc.ankr.com/electroneum',
    'https://api.avax.network/ext/bc/C/rpc',
    'https://node.example/v1/mainnet/',
    'http://127.0.0.1:8545',
  ]
  expect(keyed.filter((url) => !mayHoldKey(url))).toEqual([])
  expect(plain.filter(mayHoldKey)).toEqual([])
})

it('a file names URLs without a key, those of the public list, or the host alone', () => {
  const keyed = 'https://node.example/v3/9aa3d95b3bc440fa88ea12eaa4456161'
  expect(findKeyless([keyed, 'https://free.example'], ['https://public.example'])).toEqual(['https://free.example'])
  expect(findKeyless([keyed], ['wss://public.example', 'https://public.example'])).toEqual(['https://public.example'])
  expect(findKeyless([keyed], [])).toEqual(['https://node.example'])
})

import { describe, expect, it } from 'vitest'
import { curlExamples, javaScriptExample, looksLikeKey, pickTokens, pythonExample, toExampleKey } from './apiExamples.ts'

const alpha = '0x1111111111111111111111111111111111111111'
const beta = '0x2222222222222222222222222222222222222222'
const key = 'cb_0123456789abcdefghijABCDEFGHIJ0123456789ab'
const facts = { origin: 'https://board.example', apiKey: '', addresses: [alpha, beta], symbol: 'ALPHA' } as const

describe('the examples', () => {
  it('work as they stand without a key', () => {
    expect(curlExamples(facts).one).toBe(`curl 'https://board.example/api/v1/prices/${alpha}'`)
    expect(curlExamples(facts).batch).toBe(
      `curl -H 'Content-Type: application/json' \\\n  -d '{"addresses":["${alpha}", "${beta}"]}' \\\n  'https://board.example/api/v1/prices/batch'`,
    )
  })

  it('carry the key in every language', () => {
    const withKey = { ...facts, apiKey: key }
    for (const example of [...Object.values(curlExamples(withKey)), javaScriptExample(withKey), pythonExample(withKey)])
      expect(example.split(key)).toHaveLength(2)
    expect(curlExamples(withKey).symbol).toBe(
      `curl -H 'X-API-Key: ${key}' \\\n  'https://board.example/api/v1/prices/symbol/ALPHA'`,
    )
  })

  it('take nothing that a shell would take for more than text', () => {
    expect(toExampleKey(key)).toBe(key)
    expect(toExampleKey(`x'; rm -rf ~; '`)).toBe('')
    const spare = [
      { address: alpha, symbol: 'WEMB' },
      { address: beta, symbol: 'USDC' },
    ] as const
    const hostile = [{ address: beta, symbol: `A'; rm -rf ~; '` }]
    expect(pickTokens(hostile, spare)).toEqual({ addresses: [alpha, beta], symbol: 'WEMB' })
    expect(pickTokens([], [{ address: alpha, symbol: '$(x)' }, spare[1]]).symbol).toBe('WETH')
  })

  it('know the shape of a key', () => {
    expect([key, key.slice(1), `${key}0`, ''].map(looksLikeKey)).toEqual([false, false, false, false])
    expect(looksLikeKey('cb_0123456789abcdefghijABCDEFGHIJ0123456789')).toBe(false)
    expect(looksLikeKey(`cb_${'a1B'.repeat(12)}xy`)).toBe(true)
  })
})

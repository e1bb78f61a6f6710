import { describe, expect, it } from 'vitest'
import {
  parseAddresses,
  parseName,
  parseNumber,
  parseRpcUrls,
  parseTemplate,
  parseText,
  parseTokens,
  parseUrl,
  toName,
} from './parseFlags.ts'

const [one, two] = [`0x${'Ab'.repeat(20)}`, `0x${'cd'.repeat(20)}`]

describe('what an operator gives on the command line', () => {
  it('may be several addresses, each of which counts once, in any spelling', () => {
    expect(parseAddresses(`${one}, ${two},${one.toLowerCase()}`)).toEqual([one.toLowerCase(), two])
    for (const text of ['', ',', `${one},`, `${one},0x12`, 'vitalik.eth', `${one};${two}`])
      expect(parseAddresses(text)).toBeUndefined()
  })

  it('is a block number in digits alone, up to the newest block', () => {
    expect([parseNumber('0', 9), parseNumber('9', 9), parseNumber('007', 9)]).toEqual([0, 9, 7])
    for (const text of ['10', '', ' 1', '1e3', '0x1', '-1', '1.0', '9'.repeat(16)]) expect(parseNumber(text, 9)).toBeUndefined()
  })

  it('is 1 to 1,000 tokens', () => {
    expect([parseTokens('1'), parseTokens('1000')]).toEqual([1, 1_000])
    for (const text of ['0', '1001', 'all']) expect(parseTokens(text)).toBeUndefined()
  })

  it('is a text of 1 to 100 characters', () => {
    expect([parseText('  My site '), parseText('x'.repeat(100))]).toEqual(['My site', 'x'.repeat(100)])
    for (const text of ['', '   ', 'x'.repeat(101)]) expect(parseText(text)).toBeUndefined()
  })

  it('is an http or https URL without slashes at its end', () => {
    expect(parseUrl(' https://scan.example/ ')).toBe('https://scan.example')
    expect(parseUrl('http://127.0.0.1:8545')).toBe('http://127.0.0.1:8545')
    for (const text of [
      '',
      'scan.example',
      'ws://node.example',
      'file:///etc/passwd',
      'javascript:alert(1)',
      'https://a b.example',
    ])
      expect(parseUrl(text)).toBeUndefined()
  })

  it('is several node URLs as they are, keys included, or none where one is wrong', () => {
    expect(parseRpcUrls('https://a.example/v2/Key/, http://b:8545')).toEqual(['https://a.example/v2/Key/', 'http://b:8545'])
    for (const text of ['', 'https://a.example,', 'https://a.example,wss://b.example']) expect(parseRpcUrls(text)).toBeUndefined()
  })

  it('is a template that holds the address, or nothing', () => {
    expect(parseTemplate('')).toBe('')
    expect(parseTemplate('https://swap.example/?to={address}')).toBe('https://swap.example/?to={address}')
    for (const text of [
      'https://swap.example',
      'swap.example/{address}',
      'https://swap.example/{token}',
      'https://a b/{address}',
    ])
      expect(parseTemplate(text)).toBeUndefined()
  })
})

describe('the name of the files', () => {
  it('leaves no folder', () => {
    expect(parseName('ethereum-classic2')).toBe('ethereum-classic2')
    for (const text of ['', '../celo', 'a/b', '.hidden', '-a', 'Celo', 'a b', 'x'.repeat(61)])
      expect(parseName(text)).toBeUndefined()
  })

  it('follows from the chain’s, and from its id where nothing of that is left', () => {
    expect(toName('Ethereum Classic', 61)).toBe('ethereum-classic')
    expect(toName('  BNB: Smart/Chain (2) ', 56)).toBe('bnb-smart-chain-2')
    expect(toName('以太坊', 5)).toBe('chain-5')
    expect(toName('..', 5)).toBe('chain-5')
    expect(toName('x'.repeat(61), 5)).toBe('chain-5')
  })
})

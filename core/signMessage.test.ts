import { describe, expect, it } from 'vitest'
import { buildSignMessage, parseSignMessage, toSignTitle } from './signMessage.ts'

const wallet = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'
const text = `Chainboard Free API Key\nDomain: board.example:8080\nWallet: ${wallet}\nTimestamp: 2026-11-21T10:00:00.000Z`

describe('a message to sign', () => {
  const parts = {
    title: 'Chainboard Free API Key',
    domain: 'board.example:8080',
    wallet,
    timestamp: '2026-11-21T10:00:00.000Z',
  }

  it('has four lines: title, domain, wallet, time', () => {
    expect(buildSignMessage(parts)).toBe(text)
    expect(toSignTitle('Chainboard', 'Free API Key')).toBe('Chainboard Free API Key')
    expect(toSignTitle('My Board', 'Admin Login')).toBe('My Board Admin Login')
  })

  it('is read back whole, with or without milliseconds', () => {
    expect(parseSignMessage(text)).toEqual({ ...parts, atMs: 1_795_255_200_000 })
    expect(parseSignMessage(text.replace('.000Z', 'Z'))?.atMs).toBe(1_795_255_200_000)
  })

  it.each([
    ['a line more', `${text}\n`],
    ['a line less', text.split('\n').slice(0, 3).join('\n')],
    ['another order', text.split('\n').reverse().join('\n')],
    ['a carriage return', text.replaceAll('\n', '\r\n')],
    ['no title', text.replace('Chainboard Free API Key', '')],
    ['half a wallet', text.replace(wallet, wallet.slice(0, 20))],
    ['a local time', text.replace('.000Z', '')],
    ['a time of another zone', text.replace('Z', '+02:00')],
    ['a time that is none', text.replace('2026-11-21', '2026-13-41')],
    ['a time in words', text.replace('2026-11-21T10:00:00.000Z', 'Sat, 21 Nov 2026 10:00:00 GMT')],
  ])('with %s is none', (_, other) => {
    expect(parseSignMessage(other)).toBeUndefined()
  })
})

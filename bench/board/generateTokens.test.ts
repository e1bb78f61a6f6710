import { expect, it } from 'vitest'
import { generateTokens } from './generateTokens.ts'
import { pickSearches } from './pickSearches.ts'

const real = [{ name: 'Basalt', symbol: 'BSLT', address: '0x00', logo: '/logos/devnet/bslt.svg' }]

it('makes the same tokens in every run, no two with one name or address', () => {
  const tokens = generateTokens(2_000, real)
  expect(tokens).toEqual(generateTokens(2_000, real))
  expect(new Set(tokens.map(({ name }) => name)).size).toBe(2_000)
  expect(new Set(tokens.map(({ address }) => address)).size).toBe(2_000)
  for (const { address, symbol, logo } of tokens) {
    expect(address).toMatch(/^0x[0-9a-f]{40}$/)
    expect(symbol).toMatch(/^[A-Z]{3,5}$/)
    expect(logo).toBe('/logos/devnet/bslt.svg')
  }
})

it('picks searches whose last letter changes the answer, and that nobody has asked before on the way to another', () => {
  const tokens = ['Kalo', 'Kalibar', 'Katan', 'Moro', 'Moza'].map((name, i) => ({ name, symbol: `T${i}`, address: '', logo: '' }))
  expect(pickSearches(tokens, 10)).toEqual([
    { text: 'moz', total: 1 },
    { text: 'kal', total: 2 },
    { text: 'kalo', total: 1 },
    { text: 'kat', total: 1 },
    { text: 'kali', total: 1 },
    { text: 'mor', total: 1 },
  ])
})

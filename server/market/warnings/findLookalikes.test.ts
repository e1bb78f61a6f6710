import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Address } from '@chainboard/core'
import { expect, it } from 'vitest'
import { type TokenListEntry, toTokenList } from '../tokenList.ts'
import { findLookalikes } from './findLookalikes.ts'

const ember = '0xAb00000000000000000000000000000000000001'
const wrapped = '0x00000000000000000000000000000000000000c3'
const other = '0x00000000000000000000000000000000000000C2'
const entry = (address: string, symbol: string, name: string, verified: boolean): TokenListEntry => ({
  ...{ address, symbol, name, verified },
  ...{ decimals: 18, logo: '', category: '' },
})
const verified = [
  entry(ember, 'WEMB', 'Wrapped Ember', true),
  entry('0x00000000000000000000000000000000000000c1', 'USDC', 'USD Coin', true),
]
const warn = (symbol: string, name: string) => {
  const { tokens } = toTokenList([...verified, entry(other, symbol, name, false)], [])
  return findLookalikes(tokens).get(other.toLowerCase() as Address)?.text
}

it('names the verified token and its address', () => {
  expect(warn('WEMB', 'Some other')).toBe(
    'Its symbol is the symbol of Wrapped Ember (WEMB), the verified token at 0xAb00000000000000000000000000000000000001',
  )
  expect(warn('X', 'wrapped  EMBER')).toBe(
    'Its name looks like the name of Wrapped Ember (WEMB), the verified token at 0xAb00000000000000000000000000000000000001',
  )
  expect(warn('X', 'USDC')).toBe(
    'Its name is the symbol of USD Coin (USDC), the verified token at 0x00000000000000000000000000000000000000c1',
  )
})

it.each([
  ['small letters', 'wemb'],
  ['spaces', 'W E M B'],
  ['punctuation', 'WEMB.'],
  ['a dollar sign in front', '$WEMB'],
  ['an invisible letter', 'WE\u200bMB'],
  ['a Hangul filler', 'WE\u3164MB'],
  ['a soft hyphen', 'WE\u00adMB'],
  ['direction marks', '\u202eWEMB\u202c'],
  ['Cyrillic', 'WEМВ'],
  ['Greek', 'WΕΜΒ'],
  ['full width', 'ＷＥＭＢ'],
  ['mathematical letters', '𝐖𝐄𝐌𝐁'],
  ['letters in circles', 'ⓌⒺⓂⒷ'],
  ['small capitals', 'ᴡᴇᴍʙ'],
  ['Cherokee', 'ᎳᎬᎷᏴ'],
  ['accents', 'ẄÉMB'],
  ['two letters for one', 'VVEMB'],
  ['sixty-three zero-width spaces in front', `${'\u200b'.repeat(63)}WEMB`],
  ['two thousand zero-width spaces in front', `${'\u200b'.repeat(2_000)}WEMB`],
  ['seventy accents on one letter', `W${'\u0300'.repeat(70)}EMB`],
  ['an invisible letter before a dollar sign', '\u200b$WEMB'],
  ['letters written from right to left', '\u202eBMEW\u202c'],
  ['two of them written from right to left', 'W\u202eME\u202cB'],
  ['white letters in black squares', '🆆🅴🅼🅱'],
  ['white letters in black circles', '🅦🅔🅜🅑'],
  ['letters of flags', '🇼🇪🇲🇧'],
  ['a flag in front', '🇨🇱WEMB'],
  ['a flag in front and a digit', '🇨🇱W3MB'],
  ['Coptic', 'ⲰⲈⲘⲂ'],
  ['Canadian syllabics', 'ᗯᗴᗰᗷ'],
  ['a letter that has a hook', 'WEMƁ'],
  ['the Greek beta of Latin', 'WEMꞴ'],
  ['a 3 for an E', 'W3MB'],
  ['an 8 for a B', 'WEM8'],
  ['a 6 for a b', 'wem6'],
])('sees through %s', (_, symbol) => {
  expect(warn(symbol, 'Some other')).toContain('of Wrapped Ember (WEMB)')
})

it.each(['USD¢', 'U$DC', 'U5DC', 'ＵＳＤＣ', 'USDС', 'ՍЅDC'])('sees USDC in %s', (symbol) => {
  expect(warn(symbol, 'Some other')).toContain('of USD Coin (USDC)')
})

it.each([
  ['cl for d', 'Wrappecl Ember'],
  ['rn for m', 'Wrapped Ernber'],
  ['vv for w', 'vvrapped Ember'],
  ['a capital i in cl', 'WrappecI Ember'],
  ['a long s', 'Uſd Coin'],
  ['a stroke through a t', 'Wrapped Emberŧ'],
])('sees through %s in a name', (_, name) => {
  const { tokens } = toTokenList([...verified, entry(wrapped, 'X', 'Wrapped Embert', true), entry(other, 'Y', name, false)], [])
  expect(findLookalikes(tokens).get(other.toLowerCase() as Address)?.text).toMatch(/^Its name looks like the name of/)
})

it.each(['BASALŦ', 'BASALꞱ', 'BASALƬ', 'BASAL†', 'Ɓasalt', 'ɓasalt', 'ßasalt', 'Ваѕаӏt', 'Basalţ', 'ᗷᗩSᗩᒪT', 'Bɑsɑlt'])(
  'sees Basalt in %s',
  (name) => {
    const { tokens } = toTokenList([entry(ember, 'BSLT', 'Basalt', true), entry(other, 'Y', name, false)], [])
    expect(findLookalikes(tokens).size).toBe(1)
  },
)

it.each([
  ['T6', 'T8'],
  ['Alpha 3', 'Alpha 6'],
  ['CORN', 'COM'],
  ['CLAI', 'DAI'],
  ['USD3', 'USDE'],
  ['BE', 'B3'],
  ['🇬🇧 Coin', '🇫🇷 Coins'],
  ['ALI', 'ALL'],
  ['ALL', 'ALI'],
  ['LRC', 'IRC'],
  ['LDO', 'IDO'],
  ['LDO', 'Ido'],
  ['ILV', 'LLV'],
  ['CELO', 'CEIO'],
  ['1INCH', 'LINCH'],
  ['Z', '2'],
  ['2', 'Z'],
])('with %s verified, %s is another one', (model, one) => {
  const { tokens } = toTokenList([entry(ember, model, '', true), entry(other, one, '', false)], [])
  expect(findLookalikes(tokens).size).toBe(0)
})

it.each([
  ['ALL', 'all'],
  ['ALL', 'All'],
  ['ALI', 'ali'],
  ['ALI', 'ALl'],
  ['ALI', 'AL1'],
  ['ALI', 'ÁĹÍ'],
  ['All', 'AII'],
  ['Link', 'LlNK'],
  ['LINK', 'link'],
  ['LINK', 'lInk'],
  ['LINK', 'L|NK'],
  ['LINK', 'LІNK'],
  ['LINK', 'ŁINK'],
  ['Celo', 'CeIo'],
  ['CELO', 'ceIo'],
  ['CELO', 'ce1o'],
  ['CELO', 'CE1O'],
  ['CELO', 'CEᏞO'],
  ['CELO', 'CEʟO'],
  ['Lido', 'lido'],
  ['bitcoin', 'bltcoln'],
  ['MKRZ', 'MKR2'],
])('with %s verified, %s looks like it', (model, one) => {
  const { tokens } = toTokenList([entry(ember, model, '', true), entry(other, one, '', false)], [])
  expect(findLookalikes(tokens).size).toBe(1)
})

it.each(['devnet', 'celo', 'electroneum', 'ethereum-classic'])(
  'raises no alarm in the list of %s, whichever is verified',
  (network) => {
    const text = readFileSync(join(import.meta.dirname, '../../../networks/lists', network, 'assets.json'), 'utf8')
    const entries = JSON.parse(text) as TokenListEntry[]
    expect(findLookalikes(toTokenList(entries, []).tokens)).toEqual(new Map())
    for (const [i, one] of entries.entries()) {
      const others = entries.filter(({ symbol, name }) => symbol !== one.symbol && name !== one.name)
      const { tokens } = toTokenList([{ ...one, verified: true }, ...others.map((other) => ({ ...other, verified: false }))], [])
      expect([i, ...findLookalikes(tokens).values()]).toEqual([i])
    }
  },
)

it.each(['EMB', 'WEMB2', 'WEMBLEY', 'USDT', 'sUSDC', '狗', '🔥', '', '₮₮'])('lets %s be', (symbol) => {
  expect(warn(symbol, '🔥🔥')).toBeUndefined()
})

it('a verified token whose name is signs alone is no model for others like that', () => {
  const { tokens } = toTokenList([entry(ember, '🔥', '🔥', true), entry(other, '💧', '', false)], [])
  expect(findLookalikes(tokens).size).toBe(0)
})

it('says nothing of a verified token, no matter who has the same name', () => {
  const { tokens } = toTokenList([...verified, entry(other, 'WEMB', 'Wrapped Ember', true)], [])
  expect(findLookalikes(tokens).size).toBe(0)
})

it('a list of 20,000 tokens with long names does not take as long as its pairs', () => {
  const entries = Array.from({ length: 20_000 }, (_, i) =>
    entry(`0x${i.toString(16).padStart(40, '0')}`, `T${i}`, `${'Ⓐ'.repeat(2_000)} ${i}`, i % 2 === 0),
  )
  const { tokens } = toTokenList([...entries, entry(other, 'T8', '', false)], [])
  const before = process.threadCpuUsage()
  const found = findLookalikes(tokens)
  expect(process.threadCpuUsage(before).user).toBeLessThan(10_000_000)
  expect(found.get(other.toLowerCase() as Address)?.text).toContain(
    'the verified token at 0x0000000000000000000000000000000000000008',
  )
})

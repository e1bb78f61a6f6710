import { createHash } from 'node:crypto'
import { createRandom } from '@chainboard/devnet'
import { type Static, Type } from 'typebox'
import { at } from '../../devnet/at.ts'

/** What is read of an entry of a token list. */
export const entrySchema = Type.Object({
  name: Type.String(),
  symbol: Type.String(),
  address: Type.String(),
  logo: Type.String(),
})
export type Entry = Readonly<Static<typeof entrySchema>>

const heads =
  'ba be bo ca co da de do fa fe fi ga go ha he ja jo ka ke ko la le lo ma me mi mo na ne no pa pe ra re ri sa se so ta te ti va ve wa xe za ze zo'
const tails =
  'bar cen dan der fin gan kor lan lin mar mer nel nor pin ran rin ros sen sha sol ster tan tar ton tor van ver vin win zar'
const categories = ['DeFi', 'Gaming', 'Meme', 'Infrastructure', 'Social']
const secondsAYear = 31_557_600

/**
 * Generated tokens for a list, the same in every run: names of syllables, no two alike, addresses by hash. Nobody trades them.
 * @param real entries whose logos they have, and whose names they don't
 */
export function generateTokens(count: number, real: readonly Entry[]): Entry[] {
  const dice = createRandom('board').next
  const pick = <T>(values: readonly T[]): T => at(values, Math.floor(dice() * values.length))
  const [first, last] = [heads.split(' '), tails.split(' ')]
  const word = () => toTitle(`${pick(first)}${dice() < 0.5 ? pick(first) : ''}${pick(last)}`)
  const taken = new Set(real.map(({ name }) => name))
  const tokens: Entry[] = []
  while (tokens.length < count) {
    const name = `${word()} ${word()}`
    if (taken.has(name)) continue
    taken.add(name)
    tokens.push({ ...toEntry(name, tokens.length, dice), logo: pick(real).logo })
  }
  return tokens
}

function toEntry(name: string, place: number, dice: () => number) {
  const address = `0x${createHash('sha256').update(`bench token ${place}`).digest('hex').slice(0, 40)}`
  const symbol = name
    .replace(' ', '')
    .slice(0, 3 + Math.floor(dice() * 3))
    .toUpperCase()
  const site = `https://${name.toLowerCase().replace(' ', '-')}.example`
  return {
    name,
    symbol,
    address,
    decimals: 18,
    category: categories[place % categories.length],
    verified: dice() < 0.2,
    supply: Math.round(dice() * 1e9),
    website: site,
    ...(dice() < 0.5 ? { X: `${site}/x`, telegram: `${site}/telegram` } : {}),
    ...(dice() < 0.3
      ? { lockTimer: new Date((1.8e9 + dice() * 5 * secondsAYear) * 1000).toISOString(), lockUrl: `${site}/lock` }
      : {}),
  }
}

function toTitle(word: string): string {
  return `${word.charAt(0).toUpperCase()}${word.slice(1)}`
}

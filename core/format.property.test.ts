import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { formatAmount, formatFeeTier, formatMoney, formatPercent, formatPrice, formatUsdPrice, shortenAddress } from './format.ts'
import { formatTokenBalance, formatWalletBalance } from './formatBalance.ts'
import { formatDate, formatRelativeTime, formatRemaining } from './formatTime.ts'

const runs = { numRuns: 2_000 }

/** Sizes over all powers of ten, many of them a hair from the place where a text changes. */
const size = fc.oneof(
  fc.double({ min: 0, max: 9.9e14, noNaN: true }),
  fc
    .tuple(fc.double({ min: 1, max: 10, noNaN: true }), fc.integer({ min: -12, max: 13 }))
    .map(([digits, power]) => digits * 10 ** power),
  fc
    .tuple(fc.constantFrom(0.0001, 0.01, 1, 1e3, 1e6, 1e9, 1e12), fc.double({ min: -1e-4, max: 1e-4, noNaN: true }))
    .map(([edge, share]) => edge * (1 + share)),
)
const anything = fc.oneof(fc.double(), size)
const raw = fc.oneof(fc.bigInt({ min: 0n, max: 10n ** 36n }), fc.bigInt({ min: 0n, max: 10n ** 16n }))
const decimals = fc.integer({ min: 0, max: 24 })

const letters = { '': 1, K: 1e3, M: 1e6, B: 1e9, T: 1e12 } as const

/** The number that a text says, and the worth of its last digit. */
function read(text: string): { readonly value: number; readonly unit: number } {
  const zeros = /^(-?\$?)0\.0([₀-₉]+)(\d+)$/.exec(text)
  if (zeros) {
    const [, before = '', count = '', digits = ''] = zeros
    const written = Number([...count].map((digit) => (digit.codePointAt(0) ?? 0) - 0x2080).join(''))
    return read(`${before}0.${'0'.repeat(written)}${digits}`)
  }
  const match = /^(-?)\$?(\d{1,3}(?:,\d{3})*)(?:\.(\d+))?([KMBT]?)$/.exec(text)
  if (!match) throw new Error(`"${text}" is no figure`)
  const [, sign, whole = '', fraction = '', letter = ''] = match
  const scale = letters[letter as keyof typeof letters]
  const value = Number(`${whole.replaceAll(',', '')}.${fraction || '0'}`) * scale
  return { value: sign ? -value : value, unit: scale / 10 ** fraction.length }
}

/** What a double of this size may be off by, whoever works it out. */
const noise = (value: number) => Math.abs(value) * 1e-14

describe('every text of a figure', () => {
  const formats = [formatMoney, formatPrice, formatUsdPrice, formatPercent, formatAmount, formatFeeTier] as const

  it('is a figure or N/A, never NaN, Infinity or undefined, and short', () =>
    fc.assert(
      fc.property(anything, (value) => {
        for (const format of formats) {
          const text = format(value)
          expect(text).toMatch(
            /^(N\/A|[+-]?\$?(\d{1,3}(,\d{3})*(\.\d{1,8})?[KMBT%]?|0\.0[₀-₉]{1,3}\d{1,4}|\d\.\d\de\+\d{2,3}%?))$/,
          )
          expect(text.length).toBeLessThanOrEqual(24)
        }
      }),
      runs,
    ))

  it('has the sign of its figure, or none when it reads zero', () =>
    fc.assert(
      fc.property(size, (value) => {
        for (const format of formats) {
          const [plus, minus] = [format(value), format(-value)]
          expect(minus).toBe(/[1-9]/.test(plus) ? `-${plus.replace('+', '')}` : plus)
        }
      }),
      runs,
    ))
})

describe('money', () => {
  it('has two decimals, one to three digits before them below a thousand trillion, and is within half a unit', () =>
    fc.assert(
      fc.property(size, (usd) => {
        const text = formatMoney(usd)
        expect(text).toMatch(/^\$\d{1,3}\.\d\d[KMBT]?$/)
        const { value, unit } = read(text)
        expect(Math.abs(value - usd)).toBeLessThanOrEqual(unit / 2 + noise(usd))
      }),
      runs,
    ))

  it('has the letter of its size, the next one only where it rounds up into it', () =>
    fc.assert(
      fc.property(size, (usd) => {
        const letter = /[KMBT]?$/.exec(formatMoney(usd))?.[0] as keyof typeof letters
        const shouldBe = (of: number) => (of >= 1e12 ? 'T' : of >= 1e9 ? 'B' : of >= 1e6 ? 'M' : of >= 1e3 ? 'K' : '')
        expect([shouldBe(usd), shouldBe(usd * 1.000_005_1)]).toContain(letter)
      }),
      runs,
    ))

  it('never reads less for more', () =>
    fc.assert(
      fc.property(size, size, (a, b) => {
        const [less, more] = [formatMoney(Math.min(a, b)), formatMoney(Math.max(a, b))].map((text) => read(text).value)
        expect(less).toBeLessThanOrEqual((more ?? Number.NaN) + noise(more ?? 0))
      }),
      runs,
    ))
})

describe('prices', () => {
  it('have the decimals that the table says, and are within half a unit', () =>
    fc.assert(
      fc.property(size, (price) => {
        const text = formatPrice(price)
        if (price > 0 && price < 0.5e-8) {
          expect(text).toMatch(/^0\.0[₀-₉]+\d{0,3}[1-9]$/)
          expect(Math.abs(read(text).value / price - 1)).toBeLessThanOrEqual(0.000_5)
          return
        }
        const wanted = price === 0 ? 2 : price < 0.0001 ? 8 : price < 0.01 ? 6 : price < 1 ? 4 : 2
        expect(text.split('.')[1]).toHaveLength(wanted)
        expect(Math.abs(read(text).value - price)).toBeLessThanOrEqual(10 ** -wanted / 2 + noise(price))
      }),
      runs,
    ))

  it('never read less for more', () =>
    fc.assert(
      fc.property(size, size, (a, b) => {
        const [less, more] = [formatPrice(Math.min(a, b)), formatPrice(Math.max(a, b))].map((text) => read(text).value)
        expect(less).toBeLessThanOrEqual(more ?? Number.NaN)
      }),
      runs,
    ))
})

it('amounts have at most two decimals, none of them a zero at the end, and are within half of the last', () =>
  fc.assert(
    fc.property(size, (amount) => {
      const text = formatAmount(amount)
      expect(text).toMatch(/^[\d,]+(\.\d?[1-9])?$/)
      expect(Math.abs(read(text).value - amount)).toBeLessThanOrEqual(0.005 + noise(amount))
    }),
    runs,
  ))

it('addresses have 11 characters, of which the ends are their own', () =>
  fc.assert(
    fc.property(fc.stringMatching(/^0x[0-9a-fA-F]{40}$/), (address) => {
      const text = shortenAddress(address)
      expect(text).toHaveLength(11)
      expect(text.split('…')).toEqual([address.slice(0, 6), address.slice(38)])
    }),
    runs,
  ))

describe('balances', () => {
  /** Balances that are shown in full: not dust, and not beyond what fits. */
  const shownOf = (places: number) =>
    fc.tuple(raw, decimals).filter(([amount, own]) => {
      const unit = 10n ** BigInt(own)
      return amount * 10n ** BigInt(places) >= unit && amount < unit * 10n ** 15n
    })

  /** Exact, in whole numbers: twice the distance in units of both, against one unit of what is shown. */
  const isWithinHalf = (text: string, amount: bigint, own: number, places: number) => {
    const [whole = '', fraction = ''] = text.replaceAll(',', '').split('.')
    const shown = BigInt(whole + fraction.padEnd(places, '0')) * 10n ** BigInt(own)
    const exact = amount * 10n ** BigInt(places)
    const apart = shown > exact ? shown - exact : exact - shown
    return 2n * apart <= 10n ** BigInt(own)
  }

  it('of a wallet have three decimals and are within half of the last', () =>
    fc.assert(
      fc.property(shownOf(3), ([amount, own]) => {
        const text = formatWalletBalance(amount, own)
        expect(text).toMatch(/^\d{1,3}(,\d{3})*\.\d{3}$/)
        expect(isWithinHalf(text, amount, own, 3)).toBe(true)
      }),
      runs,
    ))

  it('of a token have up to 6 decimals where it has 6, else up to 4, and are within half of the last', () =>
    fc.assert(
      fc.property(shownOf(4), ([amount, own]) => {
        const text = formatTokenBalance(amount, own)
        expect(text).toMatch(own === 6 ? /^[\d,]+(\.\d{0,5}[1-9])?$/ : /^[\d,]+(\.\d{0,3}[1-9])?$/)
        expect(isWithinHalf(text, amount, own, own === 6 ? 6 : 4)).toBe(true)
      }),
      runs,
    ))

  it('read 0 for nothing alone', () =>
    fc.assert(
      fc.property(raw, decimals, (amount, own) => {
        for (const format of [formatWalletBalance, formatTokenBalance]) expect(format(amount, own) === '0').toBe(amount === 0n)
      }),
      runs,
    ))
})

describe('times', () => {
  it('that remain add up to the minutes that are left, with no 0 and no 60 in them', () =>
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 40 * 86_400 }), (seconds) => {
        const text = formatRemaining(seconds)
        const [, hours = '0', minutes = '0'] = /^(?:(\d+)h)? ?(?:(\d+)m)?$/.exec(text) ?? []
        let left = 0
        for (let spent = 60; spent <= seconds; spent += 60) left += 1
        expect(Number(hours) * 60 + Number(minutes)).toBe(Math.max(1, left))
        expect(Number(minutes)).toBeLessThan(60)
        expect(text).not.toMatch(/\b0/)
      }),
      { numRuns: 300 },
    ))

  it('that have passed are told in the largest unit that fits, and as a day after a week', () =>
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 30 * 86_400 }), (age) => {
        const now = 1_795_000_000
        const text = formatRelativeTime(now - age, now)
        if (age > 7 * 86_400) {
          expect(text).toBe(formatDate(now - age))
          return
        }
        const [, count = '', unit = ''] = /^(\d+)([smhd]) ago$/.exec(text) ?? []
        const unitSeconds = { s: 1, m: 60, h: 3_600, d: 86_400 }[unit] ?? Number.NaN
        const past = age - Number(count) * unitSeconds
        expect(past >= 0 && past < unitSeconds).toBe(true)
        expect(Number(count)).toBeLessThanOrEqual(unit === 'd' ? 7 : unit === 'h' ? 23 : 59)
      }),
      runs,
    ))

  it('of a day are those of the UTC calendar', () =>
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 4e9 }), (atSeconds) => {
        const text = formatDate(atSeconds)
        expect(text).toMatch(/^[A-Z][a-z]{2} \d{1,2}, \d{4}$/)
        const midnight = Date.parse(`${text} UTC`) / 1000
        expect(midnight).toBe(atSeconds - (atSeconds % 86_400))
      }),
      { numRuns: 300 },
    ))
})

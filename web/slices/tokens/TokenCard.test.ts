import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { cardVariants } from './cardVariants.tsx'
import { listedVariant } from './listedVariant.tsx'
import { TokenCardSkeleton } from './TokenCard.tsx'

const draw = (props: Parameters<typeof TokenCardSkeleton>[0]) => renderToStaticMarkup(createElement(TokenCardSkeleton, props))
const variants = { ...cardVariants, listed: listedVariant }
const count = (html: string, part: string) => html.split(part).length - 1

test.each([
  ['phone', { height: 'h-16', rows: 0, bars: 4 }],
  ['listed', { height: 'pt-2.5', rows: 0, bars: 5 }],
  ['featured', { height: 'h-24', rows: 2, bars: 5 }],
  ['boosted', { height: 'min-h-26', rows: 3, bars: 11 }],
  ['trending', { height: 'h-14', rows: 1, bars: 5 }],
] as const)('a %s card that is still being read has the box and the rows of the card, and bars in them', (variant, wanted) => {
  const html = draw({ variant: variants[variant] })
  expect(html).toMatch(new RegExp(`^<li class="[^"]*\\b${wanted.height}\\b[^"]*">`))
  expect(count(html, '<div')).toBe(wanted.rows)
  expect(count(html, 'skeleton inline-block')).toBe(wanted.bars)
  expect(count(html, 'rounded-full!')).toBe(1)
})

test('what a press would light up is no part of a card that cannot be pressed yet', () => {
  expect(draw({ variant: cardVariants.featured })).not.toContain('hover:')
})

test('a card on a phone keeps room for one button, for two where the chain has boosts', () => {
  expect(draw({ variant: cardVariants.phone })).toContain('<span class="w-8"></span>')
  expect(draw({ variant: cardVariants.phone, hasBoosts: true })).toContain('<span class="w-16 touch:w-19"></span>')
})

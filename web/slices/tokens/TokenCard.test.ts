import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { TokenCardSkeleton } from './TokenCard.tsx'

const draw = (props: Parameters<typeof TokenCardSkeleton>[0]) => renderToStaticMarkup(createElement(TokenCardSkeleton, props))
const count = (html: string, part: string) => html.split(part).length - 1

test.each([
  ['phone', { height: 'h-16', rows: 0, bars: 4 }],
  ['listed', { height: 'pt-2.5', rows: 0, bars: 5 }],
  ['featured', { height: 'h-37', rows: 3, bars: 5 }],
  ['boosted', { height: 'h-44', rows: 2, bars: 12 }],
  ['trending', { height: 'h-23', rows: 2, bars: 5 }],
] as const)('a %s card that is still being read has the box and the rows of the card, and bars in them', (variant, wanted) => {
  const html = draw({ variant })
  expect(html).toMatch(new RegExp(`^<li class="[^"]*\\b${wanted.height}\\b[^"]*">`))
  expect(count(html, '<div')).toBe(wanted.rows)
  expect(count(html, 'skeleton inline-block')).toBe(wanted.bars)
  expect(count(html, 'rounded-full!')).toBe(1)
})

test('what a press would light up is no part of a card that cannot be pressed yet', () => {
  expect(draw({ variant: 'featured' })).not.toContain('hover:')
})

test('a card on a phone keeps room for one button, for two where the chain has boosts', () => {
  expect(draw({ variant: 'phone' })).toContain('<span class="w-8"></span>')
  expect(draw({ variant: 'phone', hasBoosts: true })).toContain('<span class="w-16 touch:w-19"></span>')
})

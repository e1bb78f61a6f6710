import { describe, expect, it } from 'vitest'
import { loadFaces } from './faces.ts'
import { cutTo, drawText, measure, toDrawable } from './textLine.ts'

const { strong, plain } = await loadFaces()
const style = { face: strong, size: 100 }
/** Where a drawing ends on the right. */
const rightOf = (path: string) => Math.max(...[...path.matchAll(/(-?[\d.]+)[ -][-\d.]+/g)].map(([, x]) => Number(x)))

describe('a line of text', () => {
  it('is as wide as the letters of Inter: of 2,048 units an A has 1,490', () => {
    expect(measure('A', style)).toBeCloseTo(72.75, 1)
    expect(measure('AA', { ...style, tracking: -0.01 })).toBeCloseTo(143.5, 1)
    expect(drawText('A', { x: 0, y: 0 }, style)).toMatch(/^M16\.7/)
    expect(rightOf(drawText('AA', { x: 1_000, y: 0 }, style))).toBeCloseTo(1_143, 0)
  })

  it('is cut with an ellipsis where it has no room, and left alone where it has', () => {
    expect(cutTo('AAAA', 300, style)).toBe('AAAA')
    expect(cutTo('AAAA', 290, style)).toBe('AA…')
    expect(cutTo('AA AAAA', 290, style)).toBe('AA…')
    expect(cutTo('AAAA', 10, style)).toBe('…')
  })

  it('has Latin, Greek, Cyrillic and Vietnamese letters', () => {
    const text = 'Łódź Ωμέγα Жук Việt'
    expect(toDrawable(text, 'none', strong)).toBe(text)
    expect([...text].filter((letter) => !strong.find(letter))).toEqual([])
  })

  it('gives way to the address when most of it cannot be drawn', () => {
    for (const text of ['محمد', '日本 A', '🚀🚀', 'नमस्ते', '👩‍👩‍👧'])
      expect(toDrawable(text, '0x1234…abcd', strong)).toBe('0x1234…abcd')
    expect(toDrawable('🚀MOON', '0x1234…abcd', strong)).toBe('🚀MOON')
  })

  it('has a box for a letter that the font lacks, so that no name passes for another', () => {
    expect(drawText('U🚀SDC', { x: 0, y: 0 }, style)).not.toBe(drawText('USDC', { x: 0, y: 0 }, style))
    expect(measure('🚀', style)).toBeCloseTo(72)
    // One letter of several signs is one box.
    expect(measure('👩🏽', style)).toBeCloseTo(72)
    expect(drawText('🚀', { x: 0, y: 100 }, style)).toBe('M10.0 30.0H62.0V100.0H10.0ZM16.0 36.0V94.0H56.0V36.0Z')
  })

  it('counts the zeros of a small price in small digits below the line', () => {
    expect(measure('₁₁', style)).toBeCloseTo(0.62 * measure('11', style))
    expect(plain.find('₁')).toBeDefined()
  })
})

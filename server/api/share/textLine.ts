import type { Face, Glyph } from './faces.ts'

const letters = new Intl.Segmenter('en', { granularity: 'grapheme' })

const toLetters = (text: string) => Array.from(letters.segment(text.normalize('NFC')), ({ segment }) => segment)

/** A letter that the face lacks, as a box: left out, one name could pass for another. */
const box: Glyph = {
  advance: 0.72,
  draw: (x, y, size) => {
    const corners = (inset: number) =>
      [x + (0.1 + inset) * size, y - (0.7 - inset) * size, x + (0.62 - inset) * size, y - inset * size].map((at) => at.toFixed(1))
    const [left, top, right, bottom] = corners(0)
    const [innerLeft, innerTop, innerRight, innerBottom] = corners(0.06)
    // The inner frame runs the other way round, which leaves it empty.
    return `M${left} ${top}H${right}V${bottom}H${left}ZM${innerLeft} ${innerTop}V${innerBottom}H${innerRight}V${innerTop}Z`
  },
}

/** `tracking`: what is between two letters besides, in parts of the size. */
export type TextStyle = { readonly face: Face; readonly size: number; readonly tracking?: number }

/** The text, or `fallback` when the face lacks more than half of its letters: a row of boxes names nothing. */
export function toDrawable(text: string, fallback: string, face: Face): string {
  const all = toLetters(text).filter((letter) => letter.trim() !== '')
  const lacking = all.filter((letter) => !face.find(letter)).length
  return lacking * 2 > all.length ? fallback : text
}

export function measure(text: string, { face, size, tracking = 0 }: TextStyle): number {
  const all = toLetters(text)
  return all.reduce((sum, letter) => sum + ((face.find(letter) ?? box).advance + tracking) * size, 0)
}

/** The text within `width`, with an ellipsis where it was cut. */
export function cutTo(text: string, width: number, style: TextStyle): string {
  if (measure(text, style) <= width) return text
  const all = toLetters(text)
  while (all.length > 0 && measure(`${all.join('').trimEnd()}…`, style) > width) all.pop()
  return `${all.join('').trimEnd()}…`
}

/** The text as the path of an SVG: nothing of what it says is in the drawing but shapes. */
export function drawText(text: string, at: { readonly x: number; readonly y: number }, style: TextStyle): string {
  const { face, size, tracking = 0 } = style
  let x = at.x
  return toLetters(text)
    .map((letter) => {
      const glyph = face.find(letter) ?? box
      const path = glyph.draw(x, at.y, size)
      x += (glyph.advance + tracking) * size
      return path
    })
    .join('')
}

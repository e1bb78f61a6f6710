import { toHue } from '@chainboard/core'
import { drawSparkline } from './drawSparkline.ts'
import type { Faces } from './faces.ts'
import { oklchToHex } from './oklchToHex.ts'
import { shareColors as colors, pictureSize } from './shareColors.ts'
import type { ShareChange, ShareFacts } from './shareFacts.ts'
import { cutTo, drawText, measure, type TextStyle, toDrawable } from './textLine.ts'

const left = 64
const right = pictureSize.width - left
const logo = { x: left, y: 60, side: 96 }
const nameLeft = left + logo.side + 24
const siteWidthMax = 300
const priceSize = { largest: 120, least: 56 }

/**
 * The picture of a token as an SVG that a renderer needs no font for: every text is a path, so that no name can be anything but shapes.
 * @param logoUrl a `data:` URL of a square PNG; undefined: initials on the hue of the address
 */
export function drawShare(facts: ShareFacts, faces: Faces, logoUrl: string | undefined): string {
  const { width, height } = pictureSize
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">`,
    `<rect width="${width}" height="${height}" fill="${colors.ground}"/>`,
    `<rect width="${width}" height="6" fill="${facts.accent}"/>`,
    logoUrl === undefined ? drawMark(facts, faces) : drawLogo(logoUrl),
    drawTitle(facts, faces),
    drawPrice(facts, faces),
    drawWeek(facts, faces),
    drawFoot(facts, faces),
    '</svg>',
  ].join('\n')
}

function drawLogo(url: string): string {
  const { x, y, side } = logo
  const [cx, cy, r] = [x + side / 2, y + side / 2, side / 2]
  return [
    `<clipPath id="round"><circle cx="${cx}" cy="${cy}" r="${r}"/></clipPath>`,
    `<circle cx="${cx}" cy="${cy}" r="${r}" fill="${colors.raised}"/>`,
    `<image href="${url}" x="${x}" y="${y}" width="${side}" height="${side}" clip-path="url(#round)"/>`,
  ].join('')
}

/** As the page draws it (web/ui/Mark.tsx); bare where the font lacks the letters. */
function drawMark({ name, symbol, address }: ShareFacts, { strong }: Faces): string {
  const { x, y, side } = logo
  const hue = toHue(address)
  const style = { face: strong, size: side * 0.36 }
  const initials = Array.from(symbol.startsWith('0x') ? name : symbol)
    .slice(0, 2)
    .join('')
    .toUpperCase()
  const isDrawable = Array.from(initials).every((letter) => strong.find(letter))
  const at = { x: x + (side - measure(initials, style)) / 2, y: y + side / 2 + style.size * 0.364 }
  const circle = `<circle cx="${x + side / 2}" cy="${y + side / 2}" r="${side / 2}" fill="${oklchToHex(0.42, 0.09, hue)}"/>`
  return circle + (isDrawable ? fill(drawText(initials, at, style), oklchToHex(0.95, 0.04, hue)) : '')
}

/** Name and symbol on the left, the site on the right: neither runs into the other. */
function drawTitle(facts: ShareFacts, { plain, strong }: Faces): string {
  const siteStyle = { face: strong, size: 26 }
  const chainStyle = { face: plain, size: 22 }
  const site = cutTo(toDrawable(facts.siteName, facts.domain, strong), siteWidthMax, siteStyle)
  const chain = cutTo(toDrawable(facts.chainName, '', plain), siteWidthMax, chainStyle)
  const siteLeft = right - Math.max(measure(site, siteStyle), measure(chain, chainStyle))

  const nameStyle = { face: strong, size: 46, tracking: -0.015 }
  const tickWidth = facts.isVerified ? 52 : 0
  const room = siteLeft - 48 - nameLeft
  const name = cutTo(toDrawable(facts.name, facts.shortAddress, strong), room - tickWidth, nameStyle)
  const symbolStyle = { face: strong, size: 26 }
  const symbol = cutTo(toDrawable(facts.symbol, facts.shortAddress, strong), room, symbolStyle)
  const addressLeft = nameLeft + measure(symbol, symbolStyle) + 16
  return [
    fill(drawText(name, { x: nameLeft, y: 104 }, nameStyle), colors.ink),
    facts.isVerified ? drawSeal(nameLeft + measure(name, nameStyle) + 34, 88) : '',
    fill(drawText(symbol, { x: nameLeft, y: 146 }, symbolStyle), colors.ink2),
    // Once is enough where it stands in for a name.
    [name, symbol].includes(facts.shortAddress)
      ? ''
      : fill(drawText(facts.shortAddress, { x: addressLeft, y: 146 }, { ...symbolStyle, face: plain }), colors.ink3),
    drawRight(site, 104, siteStyle, colors.ink2),
    drawRight(chain, 146, chainStyle, colors.ink3),
  ].join('')
}

/** The page's mark of a verified token (Seal of web/ui/Icon.tsx), in the middle of this place. */
function drawSeal(cx: number, cy: number): string {
  const square = `<rect x="3.5" y="3.5" width="13" height="13" rx="3"`
  return [
    `<g transform="translate(${cx - 22} ${cy - 22}) scale(2.2)">`,
    `<g fill="${colors.verified}">${square}/>${square} transform="rotate(45 10 10)"/></g>`,
    `<path d="M6.5 10.3l2.4 2.4 4.6 -5" fill="none" stroke="${colors.ground}" stroke-width="2" stroke-linecap="round" stroke-linejoin="round"/></g>`,
  ].join('')
}

/** The price as large as there is room for, with its change of a day; or why there is none. */
function drawPrice(facts: ShareFacts, { plain, strong }: Faces): string {
  const baseline = 312
  if (facts.price === undefined) {
    const reasonStyle = { face: plain, size: 30 }
    const room = right - left - (facts.warnings === 0 ? 0 : 220)
    const reason = cutTo(toDrawable(facts.reason ?? '', '', plain), room, reasonStyle)
    return [
      fill(drawText('N/A', { x: left, y: baseline }, { face: strong, size: priceSize.largest, tracking: -0.025 }), colors.ink3),
      fill(drawText(reason, { x: left, y: baseline + 64 }, reasonStyle), colors.ink2),
    ].join('')
  }
  const changeSize = 44
  const changeWidth = facts.change24h ? measureChange(facts.change24h, '24h', changeSize, { plain, strong }) : 0
  const room = right - left - changeWidth - 40
  const atLargest = measure(facts.price, { face: strong, size: priceSize.largest, tracking: -0.025 })
  const size = Math.max(priceSize.least, Math.min(priceSize.largest, (priceSize.largest * room) / atLargest))
  const style = { face: strong, size, tracking: -0.025 }
  const price = cutTo(facts.price, right - left, style)
  const changeLeft = left + measure(price, style) + 40
  return [
    // A dollar sign has room on its left, which shows at this size.
    fill(drawText(price, { x: left - size * 0.04, y: baseline }, style), facts.isStale ? colors.ink3 : colors.ink),
    facts.change24h && changeLeft + changeWidth <= right + 1
      ? drawChange(facts.change24h, '24h', { x: changeLeft, y: baseline }, changeSize, facts.isStale, { plain, strong })
      : '',
  ].join('')
}

/** The line of the last week, and what is to be known of the token. */
function drawWeek(facts: ShareFacts, faces: Faces): string {
  const baseline = 382
  const label = { face: faces.plain, size: 24 }
  const warnings = facts.warnings === 0 ? '' : drawWarnings(facts.warnings, baseline, faces)
  if (facts.price === undefined) return warnings
  const words = 'Last 7 days'
  const change = facts.change7d
  return [
    fill(drawText(words, { x: left, y: baseline }, label), colors.ink3),
    change ? drawChange(change, '', { x: left + measure(words, label) + 18, y: baseline }, 24, facts.isStale, faces) : '',
    facts.points.length < 2
      ? fill(drawText('No prices for these days', { x: left, y: baseline + 70 }, { face: faces.plain, size: 30 }), colors.ink2)
      : drawSparkline(facts.points, { x: left, y: 404, width: right - left, height: 116 }, colorOf(change?.way, facts.isStale)),
    warnings,
  ].join('')
}

function drawWarnings(count: number, baseline: number, { strong }: Faces): string {
  const style = { face: strong, size: 24 }
  const text = count === 1 ? '1 warning' : `${count} warnings`
  const x = right - measure(text, style)
  const sign = `M${x - 32} ${baseline + 1}l11.5 -20l11.5 20zM${x - 21.8} ${baseline - 13}v7h2.6v-7zM${x - 21.8} ${baseline - 4}v2.6h2.6v-2.6z`
  return `<path d="${sign}" fill="${colors.warn}" fill-rule="evenodd"/>${fill(drawText(text, { x, y: baseline }, style), colors.warn)}`
}

/** When the price is from. Such a picture is shown for days. */
function drawFoot(facts: ShareFacts, { plain, strong }: Faces): string {
  const y = 592
  const style = { face: plain, size: 26 }
  const words = facts.price === undefined ? 'As of ' : facts.isStale ? 'Old price, as of ' : 'Price as of '
  const timeLeft = left + measure(words, style)
  const timeStyle = { face: strong, size: 26 }
  const room = right - timeLeft - measure(facts.time, timeStyle) - 48
  const domain = cutTo(toDrawable(facts.domain, '', plain), room, style)
  return [
    `<rect x="${left}" y="542" width="${right - left}" height="2" fill="${colors.line}"/>`,
    fill(drawText(words, { x: left, y }, style), facts.isStale ? colors.warn : colors.ink2),
    fill(drawText(facts.time, { x: timeLeft, y }, timeStyle), facts.isStale ? colors.warn : colors.ink),
    drawRight(domain, y, style, colors.ink3),
  ].join('')
}

function drawRight(text: string, y: number, style: TextStyle, color: string): string {
  return fill(drawText(text, { x: right - measure(text, style), y }, style), color)
}

function measureChange(change: ShareChange, span: string, size: number, { plain, strong }: Faces): number {
  const triangle = change.way === 'none' ? 0 : size * triangleRoom
  const behind = span === '' ? 0 : size * 0.32 + measure(span, { face: plain, size: size * 0.72 })
  return triangle + measure(change.text, { face: strong, size }) + behind
}

/** What the triangle of a change takes, in parts of the size of its text. */
const triangleRoom = 0.78

/** Hue, glyph and sign say the same thing (web/ui/Delta.tsx). */
function drawChange(
  { text, way }: ShareChange,
  span: string,
  { x, y }: { readonly x: number; readonly y: number },
  size: number,
  isStale: boolean,
  { plain, strong }: Faces,
): string {
  const color = colorOf(way, isStale)
  const side = size * 0.52
  const [top, middle] = [y - size * 0.62, x + side / 2]
  const triangle =
    way === 'up'
      ? `M${middle} ${top}L${x + side} ${top + side}H${x}Z`
      : way === 'down'
        ? `M${middle} ${top + side}L${x} ${top}H${x + side}Z`
        : ''
  const textLeft = way === 'none' ? x : x + size * triangleRoom
  const spanLeft = textLeft + measure(text, { face: strong, size }) + size * 0.32
  return [
    fill(triangle, color),
    fill(drawText(text, { x: textLeft, y }, { face: strong, size }), color),
    span === '' ? '' : fill(drawText(span, { x: spanLeft, y }, { face: plain, size: size * 0.72 }), colors.ink3),
  ].join('')
}

function colorOf(way: ShareChange['way'] | undefined, isStale: boolean): string {
  if (isStale || way === undefined || way === 'none') return colors.ink3
  return way === 'up' ? colors.up : colors.down
}

function fill(path: string, color: string): string {
  return path === '' ? '' : `<path d="${path}" fill="${color}"/>`
}

import type { WireConfig } from '@chainboard/contract'

/** The surface of each theme on which the accent stands out least (app/styles/tokens.css). */
export const hardestSurface = { dark: '#1a1e27', light: '#efebe2' } as const

const contrastMin = 4.5
const steps = 20

type Rgb = readonly [number, number, number]

function parseHex(hex: string): Rgb | undefined {
  const match = /^#([0-9a-f]{2})([0-9a-f]{2})([0-9a-f]{2})$/i.exec(hex)
  return match
    ? [Number.parseInt(match[1] ?? '', 16), Number.parseInt(match[2] ?? '', 16), Number.parseInt(match[3] ?? '', 16)]
    : undefined
}

function toHex(rgb: Rgb): string {
  return `#${rgb.map((part) => Math.round(part).toString(16).padStart(2, '0')).join('')}`
}

function mapParts([r, g, b]: Rgb, change: (part: number) => number): Rgb {
  return [change(r), change(g), change(b)]
}

function luminance(rgb: Rgb): number {
  const [r, g, b] = mapParts(rgb, (part) => {
    const share = part / 255
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * r + 0.7152 * g + 0.0722 * b
}

function contrast(a: Rgb, b: Rgb): number {
  const both = [luminance(a), luminance(b)]
  return (Math.max(...both) + 0.05) / (Math.min(...both) + 0.05)
}

/** `accent` moved towards white (on dark) or black (on light) until text in it reads on `surface`; `undefined` for what is no #rrggbb. */
export function toReadableAccent(accent: string, surface: string): string | undefined {
  const from = parseHex(accent)
  const ground = parseHex(surface)
  if (!from || !ground) return undefined
  const end = luminance(ground) < 0.2 ? 255 : 0
  for (let step = 0; step <= steps; step += 1) {
    const mixed = mapParts(from, (part) => Math.round(part + ((end - part) * step) / steps))
    if (contrast(mixed, ground) >= contrastMin) return toHex(mixed)
  }
  return toHex([end, end, end])
}

/** Black or white, whichever reads better on `accent`. */
export function textOn(accent: string): string {
  const ground = parseHex(accent) ?? [0, 0, 0]
  return contrast(ground, [255, 255, 255]) >= contrast(ground, [10, 10, 10]) ? '#ffffff' : '#0a0a0a'
}

type Accents = { readonly accent: string; readonly onAccent: string }

/** The network's accent and what is written on it, as values of CSS; undefined where the network file has no colour. */
export function toAccents(brand: WireConfig['brand']): Accents | undefined {
  const dark = toReadableAccent(brand.accentDark, hardestSurface.dark)
  const light = toReadableAccent(brand.accentLight, hardestSurface.light)
  if (!dark || !light) return undefined
  return { accent: `light-dark(${light}, ${dark})`, onAccent: `light-dark(${textOn(light)}, ${textOn(dark)})` }
}

/** Puts the network's accent into the style sheet's variables, and keeps it for public/theme.js to set before the next first paint. */
export function applyBrand(brand: WireConfig['brand']): void {
  const accents = toAccents(brand)
  if (!accents) return
  const { accent, onAccent } = accents
  document.documentElement.style.setProperty('--accent', accent)
  document.documentElement.style.setProperty('--on-accent', onAccent)
  try {
    localStorage.setItem('brand', JSON.stringify({ accent, onAccent }))
  } catch {
    // Storage is blocked: the accent arrives with the configuration each time.
  }
}

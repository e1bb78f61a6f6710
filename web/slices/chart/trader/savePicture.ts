import { saveFile } from '../../../lib/saveTextFile.ts'

const [headPx, edgePx] = [40, 16]

/** A name that every file system takes: `bslt-1h.png`. A symbol is anybody's text. */
export function toFileName(symbol: string, interval: string, ending: string): string {
  const plain = symbol
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 32)
  return `${plain || 'token'}-${interval}.${ending}`
}

/** Saves a chart as PNG, with a line of words above it. @param colours of the page, as canvas takes them */
export function savePicture(
  chart: HTMLCanvasElement,
  { name, words, ground, ink, font }: { readonly [key in 'name' | 'words' | 'ground' | 'ink' | 'font']: string },
): void {
  const scale = devicePixelRatio
  const canvas = document.createElement('canvas')
  canvas.width = chart.width
  canvas.height = chart.height + headPx * scale
  const context = canvas.getContext('2d')
  if (!context) return
  context.fillStyle = ground
  context.fillRect(0, 0, canvas.width, canvas.height)
  context.drawImage(chart, 0, headPx * scale)
  context.fillStyle = ink
  context.font = `${14 * scale}px ${font}`
  context.fillText(words, edgePx * scale, 26 * scale)
  canvas.toBlob((blob) => blob && saveFile(name, blob), 'image/png')
}

import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import opentype from 'opentype.js'

/** One letter as a face draws it. `advance` is in parts of the size of the text. */
export type Glyph = {
  readonly advance: number
  /** As the path of an SVG, with the baseline's beginning at this place. */
  draw(x: number, y: number, size: number): string
}

/** Inter in one weight. `find` knows no glyph of what it cannot draw. */
export type Face = { find(letter: string): Glyph | undefined }

export type Faces = { readonly plain: Face; readonly strong: Face }

const { resolve } = createRequire(import.meta.url)

/** Plain words are the site's own, in Latin letters; names are strong, in every alphabet that the font has. */
const plainFiles = [resolve('@fontsource/inter/files/inter-latin-400-normal.woff')]
const strongFiles = [
  resolve('@fontsource/inter/files/inter-latin-600-normal.woff'),
  resolve('@fontsource/inter/files/inter-latin-ext-600-normal.woff'),
  resolve('@fontsource/inter/files/inter-vietnamese-600-normal.woff'),
  resolve('@fontsource/inter/files/inter-cyrillic-600-normal.woff'),
  resolve('@fontsource/inter/files/inter-greek-600-normal.woff'),
]
/** What the renderer reads. */
const logoFiles = [
  resolve('@fontsource/inter/files/inter-latin-400-normal.woff2'),
  resolve('@fontsource/inter/files/inter-latin-600-normal.woff2'),
]

/** Reads the font. 40 ms, 10 MB. */
export async function loadFaces(): Promise<Faces> {
  const [plain, strong] = await Promise.all([loadFace(plainFiles), loadFace(strongFiles)])
  return { plain, strong }
}

/** What the renderer writes the words of a logo with. */
export function loadLogoFonts(): Promise<Uint8Array[]> {
  return Promise.all(logoFiles.map((file) => readFile(file)))
}

async function loadFace(paths: readonly string[]): Promise<Face> {
  const files = await Promise.all(paths.map((path) => readFile(path)))
  const fonts = files.map((bytes) => opentype.parse(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length)))
  const known = new Map<string, Glyph | undefined>()
  return {
    find(letter) {
      if (!known.has(letter) && known.size < glyphsKeptMax) known.set(letter, findGlyph(fonts, letter))
      return known.has(letter) ? known.get(letter) : findGlyph(fonts, letter)
    },
  }
}

/** More than all alphabets of the font have. */
const glyphsKeptMax = 2_000

type Font = ReturnType<typeof opentype.parse>

function findGlyph(fonts: readonly Font[], letter: string): Glyph | undefined {
  const code = letter.codePointAt(0)
  if (code === undefined) return undefined
  const small = code >= subscriptZero && code <= subscriptZero + 9 ? findGlyph(fonts, String(code - subscriptZero)) : undefined
  if (small) return toSubscript(small)
  // More than one sign in a letter: the font would set them beside each other.
  if (String.fromCodePoint(code) !== letter) return undefined
  const font = fonts.find((each) => each.charToGlyphIndex(letter) > 0)
  if (!font) return undefined
  const glyph = font.charToGlyph(letter)
  return {
    advance: (glyph.advanceWidth ?? 0) / font.unitsPerEm,
    draw: (x, y, size) => glyph.getPath(x, y, size).toPathData(1),
  }
}

/** The zeros of a small price are counted by digits below the line, which the font does not have. */
const subscriptZero = 0x2080
const subscript = { size: 0.62, lowered: 0.14 }

function toSubscript({ advance, draw }: Glyph): Glyph {
  return {
    advance: advance * subscript.size,
    draw: (x, y, size) => draw(x, y + size * subscript.lowered, size * subscript.size),
  }
}

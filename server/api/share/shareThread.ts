// The thread that draws pictures: the font and the renderer are in memory while it runs, and no longer.
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { parentPort } from 'node:worker_threads'
import { Failure } from '@chainboard/core'
import { initWasm, Resvg } from '@resvg/resvg-wasm'
import { capMemory } from './capMemory.ts'
import { drawShare } from './drawShare.ts'
import { loadFaces, loadLogoFonts } from './faces.ts'
import { pictureTypeOfBytes, readLogo } from './readLogo.ts'
import type { ShareFacts } from './shareFacts.ts'
import { shareLimits } from './shareLimits.ts'

/** `logoFile`: of the operator; undefined: the token has none. */
export type ShareOrder = { readonly facts: ShareFacts; readonly logoFile: string | undefined }

const port = parentPort
if (!port) throw new Failure('config-invalid', 'This file is a thread of the server: start that')

const { logoBytesMax, rendererMegabytesMax } = shareLimits
/** Twice as large as it is shown: its edges stay sharp. */
const logoSide = 192

const { resolve } = createRequire(import.meta.url)

const ready = prepare()

async function prepare() {
  const wasm = await readFile(resolve('@resvg/resvg-wasm/index_bg.wasm'))
  await initWasm(capMemory(wasm, rendererMegabytesMax * 1024 * 1024))
  const [faces, fontBuffers] = await Promise.all([loadFaces(), loadLogoFonts()])
  return { faces, fontBuffers }
}

async function draw({ facts, logoFile }: ShareOrder): Promise<Uint8Array> {
  const { faces, fontBuffers } = await ready
  const bytes = logoFile === undefined ? undefined : await readLogo(logoFile, logoBytesMax)
  const logo = bytes && drawLogo(bytes, fontBuffers)
  const { png } = render(drawShare(facts, faces, logo), [])
  return png
}

/**
 * A logo as a square PNG, drawn by itself: nothing that it refers to outside is read, no script runs.
 * @returns undefined for what cannot be drawn, and for what leaves the square empty
 */
function drawLogo(bytes: Uint8Array, fontBuffers: Uint8Array[]): string | undefined {
  const type = pictureTypeOfBytes(bytes)
  if (!type) return undefined
  const url = `data:${type};base64,${Buffer.from(bytes).toString('base64')}`
  const size = `width="${logoSide}" height="${logoSide}"`
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" ${size}><image href="${url}" ${size} preserveAspectRatio="xMidYMid slice"/></svg>`
  const { png, pixels } = render(svg, fontBuffers)
  const isEmpty = !pixels.some((part, i) => i % 4 === 3 && part > 0)
  return isEmpty ? undefined : `data:image/png;base64,${Buffer.from(png).toString('base64')}`
}

function render(svg: string, fontBuffers: Uint8Array[]): { readonly png: Uint8Array; readonly pixels: Uint8Array } {
  const names = { defaultFontFamily: 'Inter', sansSerifFamily: 'Inter', serifFamily: 'Inter', monospaceFamily: 'Inter' }
  const drawing = new Resvg(svg, { font: { fontBuffers, ...names } })
  const picture = drawing.render()
  const drawn = { png: picture.asPng(), pixels: picture.pixels }
  picture.free()
  drawing.free()
  return drawn
}

// Whatever fails ends the thread: a renderer that has failed is not to be trusted with the next picture.
port.on('message', async (order: ShareOrder) => {
  const png = await draw(order)
  port.postMessage(png)
})

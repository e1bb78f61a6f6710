import { constants } from 'node:fs'
import { open } from 'node:fs/promises'
import { join, normalize, sep } from 'node:path'

/** Where the operator's own logos are. `prefix`: their paths on the site, `/logos/<network>/`. */
export type LogoPlace = { readonly dir: string; readonly prefix: string }

/**
 * The file of a token's logo; undefined for one that is not the operator's own file. The server calls nothing for a picture: addresses of the web
 * are for browsers.
 * @param logo as the token list has it
 */
export function findLogoFile(logo: string, { dir, prefix }: LogoPlace): string | undefined {
  if (!logo.startsWith(prefix)) return undefined
  const path = decode(logo.slice(prefix.length))
  if (path === undefined || path.includes('\0')) return undefined
  const file = normalize(join(dir, path))
  return file.startsWith(normalize(dir + sep)) ? file : undefined
}

function decode(path: string): string | undefined {
  try {
    return decodeURIComponent(path)
  } catch {
    return undefined
  }
}

/** @returns undefined for what is no file, is not there, or has more bytes */
export async function readLogo(file: string, bytesMax: number): Promise<Buffer | undefined> {
  // Opening a pipe that nobody writes to would block the thread.
  const handle = await open(file, constants.O_RDONLY | constants.O_NONBLOCK).catch(() => undefined)
  if (!handle) return undefined
  try {
    const facts = await handle.stat()
    if (!facts.isFile() || facts.size > bytesMax) return undefined
    const { bytesRead, buffer } = await handle.read(Buffer.alloc(facts.size), 0, facts.size, 0)
    return buffer.subarray(0, bytesRead)
  } finally {
    await handle.close()
  }
}

const beginnings = [
  { type: 'image/png', bytes: [0x89, 0x50, 0x4e, 0x47] },
  { type: 'image/jpeg', bytes: [0xff, 0xd8, 0xff] },
  { type: 'image/gif', bytes: [0x47, 0x49, 0x46, 0x38] },
] as const

/** What the renderer can draw, by its first bytes: what else is text may be an SVG. WebP it cannot: undefined. */
export function pictureTypeOfBytes(bytes: Uint8Array): string | undefined {
  const known = beginnings.find((each) => each.bytes.every((byte, i) => bytes[i] === byte))
  if (known) return known.type
  return /<svg[\s>]/i.test(Buffer.from(bytes).toString('utf8')) ? 'image/svg+xml' : undefined
}

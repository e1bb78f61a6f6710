import { createHash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import type { ShareLimits } from './shareLimits.ts'

/** A drawn picture. */
export type KeptPicture = {
  readonly png: Buffer
  /** The same for the same bytes. */
  readonly tag: string
  /** What it shows, as text: a picture of the same is not drawn again. */
  readonly shows: string
  /** The minute of our clock that it was drawn in, or found to be still true in; counted from 1970. */
  readonly minute: number
}

/** Pictures by token, up to so many and so many bytes: those go first that were asked for longest ago. */
export function keepPictures({ picturesMax, bytesMax }: Pick<ShareLimits, 'picturesMax' | 'bytesMax'>) {
  const sizeCalculation = ({ png, shows }: KeptPicture) => png.byteLength + 2 * shows.length
  return new LRUCache<string, KeptPicture>({ max: picturesMax, maxSize: bytesMax, sizeCalculation })
}

export function toPicture(png: Uint8Array, shows: string, minute: number): KeptPicture {
  return { png: Buffer.from(png), tag: createHash('sha256').update(png).digest('base64url'), shows, minute }
}

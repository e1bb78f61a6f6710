import { toHue } from '@chainboard/core'
import { useState } from 'react'
import { keepPicture } from './keepPicture.ts'

type Props = {
  /** Already checked image address; `undefined` draws the generated mark. */
  readonly src: string | undefined
  /** Decides the hue; the same seed always looks the same. */
  readonly seed: string
  /** Its first letters stand in the generated mark. */
  readonly text: string
  /** Side in px. */
  readonly size: number
}

/**
 * The side in px in which every picture is drawn; what is smaller or larger is zoomed. Browsers lay out an SVG anew for each size, and have one
 * layout of a file: on a page with three sizes of a logo each paint laid out all logos, which took longer than the rest of the paint.
 */
const drawnPx = 40

/** In a page that the server drew a picture may have come, or failed, before anybody could hear of it. */
function lookAgain(picture: HTMLImageElement | null): void {
  if (!picture?.complete) return
  if (picture.naturalWidth > 0) keepPicture(picture.src)
  else picture.setAttribute('src', picture.src)
}

/** A round picture, or initials on a hue of their own when there is none or it fails. Decorative: the name stands beside it. */
export function Mark({ src, seed, text, size }: Props) {
  const [failedSrc, setFailedSrc] = useState<string>()
  const box = { width: size, height: size }
  if (src && src !== failedSrc)
    return (
      // Another picture is another element: the one before would stay until the next has come.
      <img
        key={src}
        ref={lookAgain}
        src={src}
        alt=""
        width={drawnPx}
        height={drawnPx}
        loading="lazy"
        decoding="async"
        referrerPolicy="no-referrer"
        onLoad={() => keepPicture(src)}
        onError={() => setFailedSrc(src)}
        style={{ zoom: size / drawnPx }}
        className="size-[40px] max-w-none shrink-0 rounded-full bg-surface-2 object-cover"
      />
    )
  const hue = toHue(seed)
  return (
    <span
      aria-hidden="true"
      style={{ ...box, fontSize: size * 0.36, background: `oklch(0.42 0.09 ${hue})`, color: `oklch(0.95 0.04 ${hue})` }}
      className="inline-flex shrink-0 select-none items-center justify-center overflow-hidden rounded-full font-strong uppercase"
    >
      {Array.from(text).slice(0, 2).join('')}
    </span>
  )
}

/** The hue of an address, and its first two digits. */
export function AddressMark({ address, size }: { readonly address: string; readonly size: number }) {
  return <Mark src={undefined} seed={address} text={address.slice(2)} size={size} />
}

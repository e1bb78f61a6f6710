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
 * Every picture is laid out with sides of so many px, and then zoomed. Chromium keeps one layout per SVG file. With several sizes of a logo on a
 * page, each paint laid out all logos again, which took longer than the rest of the paint.
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
      style={{
        width: size,
        height: size,
        fontSize: size * 0.36,
        background: `oklch(0.42 0.09 ${hue})`,
        color: `oklch(0.95 0.04 ${hue})`,
      }}
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

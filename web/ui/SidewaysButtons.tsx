import { type RefObject, useEffect, useState } from 'react'
import { IconButton } from './IconButton.tsx'

type Props = {
  readonly list: RefObject<HTMLElement | null>
  /** How many there are. */
  readonly count: number
  /** What is in the list, for the buttons' names. */
  readonly what: string
}

type Ends = { readonly start: boolean; readonly end: boolean }

/** The way through a list that is wider than its place, for whoever has a mouse. Nothing when all of it is in sight. */
export function SidewaysButtons({ list, count, what }: Props) {
  const [{ start, end }, setEnds] = useState<Ends>({ start: true, end: true })
  // biome-ignore lint/correctness/useExhaustiveDependencies: the list's elements change with their number
  useEffect(() => {
    const element = list.current
    if (!element) return
    const look = () => {
      const { scrollLeft, clientWidth, scrollWidth } = element
      setEnds({ start: scrollLeft < 1, end: scrollLeft + clientWidth > scrollWidth - 1 })
    }
    const watch = new ResizeObserver(look)
    watch.observe(element)
    element.addEventListener('scroll', look, { passive: true })
    return () => {
      watch.disconnect()
      element.removeEventListener('scroll', look)
    }
  }, [list, count])
  if (start && end) return null
  const scroll = (pages: number) => list.current?.scrollBy({ left: pages * list.current.clientWidth * 0.8, behavior: 'smooth' })
  return (
    <div className="print:hidden hidden gap-1 mouse:tablet:flex">
      <IconButton icon="left" label={`Previous ${what}`} disabled={start} onClick={() => scroll(-1)} className={look} />
      <IconButton icon="right" label={`More ${what}`} disabled={end} onClick={() => scroll(1)} className={look} />
    </div>
  )
}

const look = 'disabled:pointer-events-none disabled:text-line-strong'

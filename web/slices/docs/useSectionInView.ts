import { useEffect, useState } from 'react'
import { type SectionId, sections } from './sections.ts'

/** The part of the documentation that is being read: the last one that has begun above the upper third of the screen. */
export function useSectionInView(): SectionId {
  const [current, setCurrent] = useState<SectionId>('introduction')
  useEffect(() => {
    const look = () => {
      const line = innerHeight / 3
      const atEnd = scrollY + innerHeight >= document.documentElement.scrollHeight - 2
      const begun = sections.filter(({ id }) => (document.getElementById(id)?.getBoundingClientRect().top ?? Infinity) <= line)
      setCurrent((atEnd && scrollY > 0 ? sections.at(-1) : begun.at(-1))?.id ?? 'introduction')
    }
    look()
    addEventListener('scroll', look, { passive: true })
    return () => removeEventListener('scroll', look)
  }, [])
  return current
}

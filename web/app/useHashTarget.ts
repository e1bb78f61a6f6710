import { useEffect } from 'react'

/** Goes to the part of the page that its address names: the browser has looked for it before the page was there. */
export function useHashTarget(): void {
  useEffect(() => {
    const id = decodeURIComponent(location.hash.slice(1))
    if (!id) return
    // A new page is first scrolled to its top.
    const frame = requestAnimationFrame(() => document.getElementById(id)?.scrollIntoView())
    return () => cancelAnimationFrame(frame)
  }, [])
}

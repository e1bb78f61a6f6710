import { useSyncExternalStore } from 'react'

/** As of the last time that the page said it: asking for it while the page is being changed would lay it out anew each time. */
let offsetPx = 0

function subscribe(listener: () => void): () => void {
  const follow = () => {
    offsetPx = scrollY
    listener()
  }
  follow()
  addEventListener('scroll', follow, { passive: true })
  return () => removeEventListener('scroll', follow)
}

/** Whether the page has been scrolled by more than `px`. */
export function useScrolled(px: number): boolean {
  return useSyncExternalStore(
    subscribe,
    () => offsetPx > px,
    () => false,
  )
}

import { useSyncExternalStore } from 'react'

function subscribe(listener: () => void): () => void {
  addEventListener('scroll', listener, { passive: true })
  return () => removeEventListener('scroll', listener)
}

/** Whether the page has been scrolled by more than `px`. */
export function useScrolled(px: number): boolean {
  return useSyncExternalStore(subscribe, () => scrollY > px)
}

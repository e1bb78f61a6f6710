import { useEffect, useRef } from 'react'

/**
 * A new page begins at its top, and keyboards and screen readers begin with its content. The way back and forth keeps the
 * browser's own place. What is in the address behind the path belongs to the page.
 */
export function usePageChange(path: string): void {
  const shown = useRef(path)
  const travelled = useRef(false)
  useEffect(() => {
    const listen = () => {
      travelled.current = true
    }
    addEventListener('popstate', listen)
    return () => removeEventListener('popstate', listen)
  }, [])
  useEffect(() => {
    const wasTravelled = travelled.current
    travelled.current = false
    if (shown.current === path) return
    shown.current = path
    if (!wasTravelled) scrollTo(0, 0)
    document.querySelector('main')?.focus({ preventScroll: true })
  }, [path])
}

import { type RefObject, useSyncExternalStore } from 'react'

function subscribe(listener: () => void): () => void {
  document.addEventListener('fullscreenchange', listener)
  return () => document.removeEventListener('fullscreenchange', listener)
}

/** Whether an element fills the screen, and what changes that; without `toggle` where the browser cannot, as on phones. */
export function useFullScreen(element: RefObject<HTMLElement | null>): { readonly on: boolean; readonly toggle?: () => void } {
  const filling = useSyncExternalStore(
    subscribe,
    () => document.fullscreenElement,
    () => null,
  )
  const can = useSyncExternalStore(
    subscribe,
    () => document.fullscreenEnabled,
    () => false,
  )
  if (!can) return { on: false }
  const toggle = () => {
    if (document.fullscreenElement) void document.exitFullscreen()
    // Refused when the press was not the visitor's: the chart stays as it is.
    else element.current?.requestFullscreen().catch(() => undefined)
  }
  return { on: filling !== null, toggle }
}

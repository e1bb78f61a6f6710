import { type RefObject, useEffect, useEffectEvent } from 'react'

/** Calls `close` on Escape (`leave`), and when the visitor presses or goes elsewhere (`dismiss`), as long as `open`. */
export function useDismiss(root: RefObject<HTMLElement | null>, open: boolean, close: (how: 'leave' | 'dismiss') => void): void {
  const tell = useEffectEvent(close)
  useEffect(() => {
    const element = root.current
    if (!open || !element) return
    const onKey = (event: KeyboardEvent) => {
      if (event.key === 'Escape') tell('leave')
    }
    const onPointer = (event: PointerEvent) => {
      if (event.target instanceof Node && !element.contains(event.target)) tell('dismiss')
    }
    const onFocusOut = (event: FocusEvent) => {
      if (event.relatedTarget instanceof Node && !element.contains(event.relatedTarget)) tell('dismiss')
    }
    element.addEventListener('keydown', onKey)
    element.addEventListener('focusout', onFocusOut)
    document.addEventListener('pointerdown', onPointer)
    return () => {
      element.removeEventListener('keydown', onKey)
      element.removeEventListener('focusout', onFocusOut)
      document.removeEventListener('pointerdown', onPointer)
    }
  }, [root, open])
}

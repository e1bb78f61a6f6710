import { useEffect, useEffectEvent } from 'react'

/** Calls back when the visitor presses `/` anywhere but in a field or a dialog. */
export function useSlash(onSlash: (() => void) | undefined): void {
  const press = useEffectEvent((event: KeyboardEvent) => {
    const { target } = event
    const typing = target instanceof HTMLElement && target.closest('input, textarea, select, [contenteditable], [role="dialog"]')
    if (!onSlash || event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey || typing) return
    event.preventDefault()
    onSlash()
  })
  useEffect(() => {
    const listen = (event: KeyboardEvent) => press(event)
    document.addEventListener('keydown', listen)
    return () => document.removeEventListener('keydown', listen)
  }, [])
}

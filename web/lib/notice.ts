import { useSyncExternalStore } from 'react'

const shownMs = 2_000

export type Notice = { readonly id: number; readonly text: string }

let current: Notice | undefined
let timer: ReturnType<typeof setTimeout> | undefined
const listeners = new Set<() => void>()

function show(notice: Notice | undefined): void {
  current = notice
  for (const listener of listeners) listener()
}

/** Shows one line at the foot of the screen for two seconds, and reads it out. A newer one takes its place. */
export function notify(text: string): void {
  clearTimeout(timer)
  show({ id: (current?.id ?? 0) + 1, text })
  timer = setTimeout(() => show(undefined), shownMs)
}

export function useNotice(): Notice | undefined {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => current,
  )
}

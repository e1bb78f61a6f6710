import { useSyncExternalStore } from 'react'

/** `done` confirms what the visitor did; `note` says why nothing happened. */
type Tone = 'done' | 'note'

const shownMs: Readonly<Record<Tone, number>> = { done: 2_000, note: 4_000 }

export type Notice = { readonly id: number; readonly text: string; readonly tone: Tone }

let current: Notice | undefined
let timer: ReturnType<typeof setTimeout> | undefined
const listeners = new Set<() => void>()

function show(notice: Notice | undefined): void {
  current = notice
  for (const listener of listeners) listener()
}

/** Shows one line at the foot of the screen for two seconds (a `note` for four), and reads it out. A newer one takes its place. */
export function notify(text: string, tone: Tone = 'done'): void {
  clearTimeout(timer)
  show({ id: (current?.id ?? 0) + 1, text, tone })
  timer = setTimeout(() => show(undefined), shownMs[tone])
}

/** The line that is shown now; undefined for none. */
export function useNotice(): Notice | undefined {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => current,
    () => undefined,
  )
}

import type { WireApiKey } from '@chainboard/contract'
import { useState } from 'react'

export type AdminDialog = { readonly kind: 'create' } | { readonly kind: 'created' | 'edit' | 'delete'; readonly key: WireApiKey }

/** Which dialog stands over the panel. A closing one keeps its content until it is out of sight. */
export function useDialogs() {
  const [shown, setShown] = useState<{ readonly dialog: AdminDialog; readonly open: boolean; readonly turn: number }>()
  return {
    dialog: shown?.dialog,
    open: shown?.open ?? false,
    /** Differs between any two dialogs. */
    turn: shown?.turn ?? 0,
    show: (dialog: AdminDialog) => setShown((before) => ({ dialog, open: true, turn: (before?.turn ?? 0) + 1 })),
    close: () => setShown((before) => before && { ...before, open: false }),
    forget: () => setShown((before) => (before?.open ? before : undefined)),
  }
}

import type { WireApiKey } from '@chainboard/contract'
import { useState } from 'react'
import type { AdminSession } from './adminSession.ts'
import { CreateKeyDialog } from './CreateKeyDialog.tsx'
import { DeleteKeyDialog } from './DeleteKeyDialog.tsx'
import { EditKeyDialog } from './EditKeyDialog.tsx'
import { KeyCreatedDialog } from './KeyCreatedDialog.tsx'

type Props = {
  readonly session: AdminSession
  readonly dialogs: ReturnType<typeof useDialogs>
  /** Something was changed on the server. */
  readonly onChanged: () => void
}

/** The dialog that is asked for. */
export function AdminDialogs({ session, dialogs, onChanged }: Props) {
  const { dialog, open, turn, show, close, forget } = dialogs
  if (!dialog) return null
  const frame = { open, onClose: close, onClosed: forget }
  const done = () => {
    close()
    onChanged()
  }
  if (dialog.kind === 'create') {
    const created = (key: WireApiKey) => {
      show({ kind: 'created', key })
      onChanged()
    }
    return <CreateKeyDialog key={turn} session={session} onCreated={created} {...frame} />
  }
  if (dialog.kind === 'created') return <KeyCreatedDialog key={turn} apiKey={dialog.key} {...frame} />
  const Dialog = dialog.kind === 'edit' ? EditKeyDialog : DeleteKeyDialog
  return <Dialog key={turn} session={session} apiKey={dialog.key} onDone={done} {...frame} />
}

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

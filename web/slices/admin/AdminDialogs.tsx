import type { WireApiKey } from '@chainboard/contract'
import type { AdminSession } from './adminSession.ts'
import { CreateKeyDialog } from './CreateKeyDialog.tsx'
import { DeleteKeyDialog } from './DeleteKeyDialog.tsx'
import { EditKeyDialog } from './EditKeyDialog.tsx'
import { KeyCreatedDialog } from './KeyCreatedDialog.tsx'
import type { useDialogs } from './useDialogs.ts'

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

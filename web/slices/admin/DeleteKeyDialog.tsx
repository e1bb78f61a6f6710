import type { WireApiKey } from '@chainboard/contract'
import { notify } from '../../lib/notice.ts'
import { keyDeleteUrl } from '../../lib/urls.ts'
import type { AdminSession } from './adminSession.ts'
import { callAdmin, useAct } from './callAdmin.ts'
import { describeOwner } from './describeKey.ts'
import { FormDialog } from './FormDialog.tsx'

type Props = {
  readonly session: AdminSession
  readonly apiKey: WireApiKey
  readonly onDone: () => void
  readonly open: boolean
  readonly onClose: () => void
  readonly onClosed: () => void
}

/** Asks before a key is gone for good. */
export function DeleteKeyDialog({ session, apiKey, onDone, ...dialog }: Props) {
  const { busy, error, run } = useAct()
  const submit = async () => {
    const done = await run(() => callAdmin<object>(session, keyDeleteUrl(apiKey.fullId)), 'Failed to delete key')
    if (!done) return
    notify('Key deleted successfully!')
    onDone()
  }
  return (
    <FormDialog
      {...dialog}
      title="Delete API Key"
      subtitle={
        <>
          <bdi>{describeOwner(apiKey)}</bdi> · <span className="font-mono">{apiKey.id}</span>
        </>
      }
      submitText="Delete"
      busyText="Deleting…"
      danger
      busy={busy}
      error={error}
      onSubmit={() => void submit()}
    >
      <p className="text-14 text-ink">Are you sure you want to delete this API key? This action cannot be undone.</p>
    </FormDialog>
  )
}

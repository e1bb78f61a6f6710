import { isSameHex, shortenAddress } from '@chainboard/core'
import { keyDeleteUrl, keyKeepUrl } from '../../lib/adminUrls.ts'
import { notify } from '../../lib/notice.ts'
import { textOf } from '../../lib/untrusted.ts'
import { callAdmin, useAct } from './callAdmin.ts'
import { describeOwner } from './describeKey.ts'
import { FormDialog } from './FormDialog.tsx'
import type { KeyDialogProps } from './keyDialogProps.ts'

/** Asks before a key is gone for good; where two owners have to agree, the second one may also keep it. */
export function DeleteKeyDialog({ session, apiKey, onDone, ...dialog }: KeyDialogProps) {
  const { busy, error, run } = useAct()
  const asked = apiKey.deletion
  const isOwn = isSameHex(asked?.wallet, session.walletAddress)
  const remove = async () => {
    const answer = await run(() => callAdmin<object>(session, keyDeleteUrl(apiKey.fullId)), 'Failed to delete key')
    if (!answer) return
    notify(textOf(answer, 'waiting') ?? 'Key deleted successfully!')
    onDone()
  }
  const keep = async () => {
    const answer = await run(() => callAdmin<object>(session, keyKeepUrl(apiKey.fullId)), 'Failed to keep key')
    if (!answer) return
    notify('The key is kept')
    onDone()
  }
  const withdraws = asked !== null && isOwn
  return (
    <FormDialog
      {...dialog}
      title={withdraws ? 'Keep API Key' : 'Delete API Key'}
      subtitle={
        <>
          <bdi>{describeOwner(apiKey)}</bdi> · <span className="font-mono">{apiKey.id}</span>
        </>
      }
      submitText={withdraws ? 'Keep Key' : 'Delete'}
      busyText={withdraws ? 'Keeping…' : 'Deleting…'}
      danger={!withdraws}
      busy={busy}
      error={error}
      onSubmit={() => void (withdraws ? keep() : remove())}
    >
      {withdraws ? (
        <p className="text-14 text-ink">
          You asked for this deletion. Another owner has to confirm it. Do you want to keep the key?
        </p>
      ) : (
        <p className="text-14 text-ink">Are you sure you want to delete this API key? This action cannot be undone.</p>
      )}
      {asked && !isOwn && (
        <p className="text-13 text-ink-2">
          {shortenAddress(asked.wallet)} requested it. If you confirm, the key is deleted.{' '}
          <button
            type="button"
            disabled={busy}
            onClick={() => void keep()}
            className="min-h-8 font-strong text-ink underline underline-offset-4 touch:min-h-11"
          >
            Keep the key instead
          </button>
        </p>
      )}
    </FormDialog>
  )
}

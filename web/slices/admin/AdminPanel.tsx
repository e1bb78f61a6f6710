import type { WireApiKey, WireConfig } from '@chainboard/contract'
import { shortenAddress } from '@chainboard/core'
import { useEffect, useState } from 'react'
import { sendJson } from '../../lib/fetchJson.ts'
import { notify } from '../../lib/notice.ts'
import { adminUrls, keyUpdateUrl } from '../../lib/urls.ts'
import { filledControl, outlinedControl } from '../../ui/buttonStyles.ts'
import { FailureLine } from '../../ui/FailureLine.tsx'
import { ActLog } from './ActLog.tsx'
import { AdminDialogs, useDialogs } from './AdminDialogs.tsx'
import { type AdminSession, endAdminSession, endOf, overText, useTurnFocus } from './adminSession.ts'
import { callAdmin, toFailureText, toProof } from './callAdmin.ts'
import { KeyFigures } from './KeyFigures.tsx'
import { KeyListSection } from './KeyListSection.tsx'
import { useAdminKeys, useAdminRefresh, useAdminStats } from './useAdminData.ts'

type Props = { readonly session: AdminSession; readonly config: WireConfig | undefined }

/** API keys, and what operators can do with them. */
export function AdminPanel({ session, config }: Props) {
  const keys = useAdminKeys(session)
  const stats = useAdminStats(session)
  const refresh = useAdminRefresh(session)
  const dialogs = useDialogs()
  const { busyId, toggle } = useToggle(session, refresh)
  useEndOfSession(session)
  const { show } = dialogs
  const openers = {
    onEdit: (key: WireApiKey) => show({ kind: 'edit', key }),
    onDelete: (key: WireApiKey) => show({ kind: 'delete', key }),
    onToggle: (key: WireApiKey) => void toggle(key),
  }
  return (
    <>
      <PanelHead session={session} onCreate={() => show({ kind: 'create' })} />
      {stats.error && !stats.data ? (
        <div className="flex min-h-20 border-line border-y">
          <FailureLine text="Failed to load the figures" busy={stats.isFetching} onRetry={() => void stats.refetch()} />
        </div>
      ) : (
        <KeyFigures stats={stats.data} />
      )}
      <KeyListSection query={keys} txUrl={config?.explorer?.txUrl} openers={openers} busyId={busyId} />
      <ActLog session={session} />
      <AdminDialogs session={session} dialogs={dialogs} onChanged={() => void refresh()} />
    </>
  )
}

function PanelHead({ session, onCreate }: { readonly session: AdminSession; readonly onCreate: () => void }) {
  const [leaving, setLeaving] = useState(false)
  const heading = useTurnFocus()
  const logOut = async () => {
    setLeaving(true)
    await sendJson('POST', adminUrls.logout, toProof(session)).catch(() =>
      notify('You are logged out here, but the server did not confirm it. The login expires within a day.', 'note'),
    )
    endAdminSession()
  }
  return (
    <header className="flex flex-wrap items-center justify-between gap-x-4 gap-y-3 pt-8 pb-5 tablet:px-3">
      <div>
        <h1 ref={heading} tabIndex={-1} className="text-20 font-strong tracking-tight outline-none">
          API Key Management
        </h1>
        <p className="text-13 text-ink-2">
          Logged in as <span title={session.walletAddress}>{shortenAddress(session.walletAddress)}</span>
        </p>
      </div>
      <div className="flex gap-2 max-tablet:w-full max-tablet:*:flex-1">
        <button
          type="button"
          disabled={leaving}
          onClick={() => void logOut()}
          className={`${outlinedControl} h-10 disabled:opacity-50 touch:h-11`}
        >
          {leaving ? 'Logging out…' : 'Logout'}
        </button>
        <button type="button" onClick={onCreate} className={`${filledControl} touch:h-11`}>
          + Create New Key
        </button>
      </div>
    </header>
  )
}

/** Pausing and resuming, which ask nothing. */
function useToggle(session: AdminSession, refresh: () => Promise<void>) {
  const [busyId, setBusyId] = useState<string>()
  const toggle = async ({ fullId, status }: WireApiKey) => {
    if (busyId !== undefined) return
    setBusyId(fullId)
    try {
      await callAdmin(session, keyUpdateUrl(fullId), { status: status === 'active' ? 'paused' : 'active' })
      notify('Key updated successfully!')
    } catch (error) {
      notify(toFailureText(error, 'Failed to update key'), 'note')
    }
    await refresh()
    setBusyId(undefined)
  }
  return { busyId, toggle }
}

/** A session is over after 24 hours, also while somebody looks at it. */
function useEndOfSession(session: AdminSession): void {
  useEffect(() => {
    const timer = setTimeout(() => endAdminSession(overText), Math.max(0, endOf(session) - Date.now()))
    return () => clearTimeout(timer)
  }, [session])
}

import type { WireApiKey, WireConfig } from '@chainboard/contract'
import { hasRole, shortenAddress } from '@chainboard/core'
import { useEffect, useState } from 'react'
import { adminUrls, keyUpdateUrl } from '../../lib/adminUrls.ts'
import { notify } from '../../lib/notice.ts'
import { filledControl, outlinedControl } from '../../ui/buttonStyles.ts'
import { FailureLine } from '../../ui/FailureLine.tsx'
import { ActLog } from './ActLog.tsx'
import { AdminDialogs, useDialogs } from './AdminDialogs.tsx'
import { type AdminSession, endAdminSession, endOf, overText, useTurnFocus } from './adminSession.ts'
import { callAdmin, toFailureText } from './callAdmin.ts'
import { KeyFigures } from './KeyFigures.tsx'
import { KeyListSection } from './KeyListSection.tsx'
import { PanelViews, usePanelView } from './PanelViews.tsx'
import { SessionList } from './SessionList.tsx'
import { SiteView } from './SiteView.tsx'
import { useAdminKeys, useAdminRefresh, useAdminStats, useSiteState } from './useAdminData.ts'
import type { FeaturedPreview } from './useFeaturedTokens.ts'

type Props = {
  readonly session: AdminSession
  readonly config: WireConfig | undefined
  readonly featuredPreview: FeaturedPreview
}

const titles = { keys: 'API Key Management', site: 'Site', operators: 'Operators' } as const

/** What operators see and do: keys, the state of the site, and each other. */
export function AdminPanel({ session, config, featuredPreview }: Props) {
  const refresh = useAdminRefresh(session)
  const dialogs = useDialogs()
  const { view, choose } = usePanelView()
  const state = useSiteState(session)
  useEndOfSession(session)
  const canCreate = view === 'keys' && hasRole(session.role, 'editor')
  return (
    <>
      <PanelHead
        session={session}
        title={titles[view]}
        onCreate={canCreate ? () => dialogs.show({ kind: 'create' }) : undefined}
      />
      <div className="flex pb-5">
        <PanelViews view={view} onChoose={choose} alerts={state.data?.alerts.length ?? 0} />
      </div>
      {view === 'keys' && <KeysView session={session} config={config} show={dialogs.show} refresh={refresh} />}
      {view === 'site' && <SiteView session={session} preview={featuredPreview} query={state} />}
      {view === 'operators' && (
        <>
          <SessionList session={session} />
          <ActLog session={session} />
        </>
      )}
      <AdminDialogs session={session} dialogs={dialogs} onChanged={() => void refresh()} />
    </>
  )
}

type KeysProps = Omit<Props, 'featuredPreview'> & {
  readonly show: ReturnType<typeof useDialogs>['show']
  readonly refresh: () => Promise<void>
}

function KeysView({ session, config, show, refresh }: KeysProps) {
  const keys = useAdminKeys(session)
  const stats = useAdminStats(session)
  const { busyId, toggle } = useToggle(session, refresh)
  const openers = {
    onEdit: (key: WireApiKey) => show({ kind: 'edit', key }),
    onDelete: (key: WireApiKey) => show({ kind: 'delete', key }),
    onToggle: (key: WireApiKey) => void toggle(key),
    may: { change: hasRole(session.role, 'editor'), remove: hasRole(session.role, 'owner') },
  }
  return (
    <>
      {stats.error && !stats.data ? (
        <div className="flex min-h-20 border-line border-y">
          <FailureLine text="Failed to load the figures" busy={stats.isFetching} onRetry={() => void stats.refetch()} />
        </div>
      ) : (
        <KeyFigures stats={stats.data} />
      )}
      <KeyListSection query={keys} txUrl={config?.explorer?.txUrl} openers={openers} busyId={busyId} />
    </>
  )
}

type HeadProps = {
  readonly session: AdminSession
  readonly title: string
  /** Absent where the role, or the part of the panel, has no keys to make. */
  readonly onCreate: (() => void) | undefined
}

function PanelHead({ session, title, onCreate }: HeadProps) {
  const [leaving, setLeaving] = useState(false)
  const heading = useTurnFocus()
  const logOut = async () => {
    setLeaving(true)
    await callAdmin(session, adminUrls.logout).catch(() =>
      notify('You are logged out here, but the server did not confirm it. The session ends within half an hour.', 'note'),
    )
    endAdminSession()
  }
  return (
    <header className="flex flex-wrap items-center justify-between gap-x-4 gap-y-3 pt-8 pb-5">
      <div>
        <h1 ref={heading} tabIndex={-1} className="text-20 font-strong tracking-tight outline-none">
          {title}
        </h1>
        <p className="text-13 text-ink-2">
          Logged in as <span title={session.walletAddress}>{shortenAddress(session.walletAddress)}</span>, {session.role}
        </p>
      </div>
      <div className={`flex gap-2 ${onCreate ? 'max-tablet:w-full max-tablet:*:flex-1' : ''}`}>
        <button
          type="button"
          disabled={leaving}
          onClick={() => void logOut()}
          className={`${outlinedControl} h-10 disabled:opacity-50 touch:h-11`}
        >
          {leaving ? 'Logging out…' : 'Logout'}
        </button>
        {onCreate && (
          <button type="button" onClick={onCreate} className={`${filledControl} touch:h-11`}>
            + Create New Key
          </button>
        )}
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

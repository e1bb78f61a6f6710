import type { WireOperatorSession } from '@chainboard/contract'
import { formatRelativeTime, shortenAddress } from '@chainboard/core'
import { useState } from 'react'
import { sessionEndUrl } from '../../lib/adminUrls.ts'
import { notify } from '../../lib/notice.ts'
import { useNow } from '../../lib/useNow.ts'
import { outlinedControl } from '../../ui/buttonStyles.ts'
import { EmptyNote } from '../../ui/EmptyNote.tsx'
import { QueryView } from '../../ui/QueryView.tsx'
import { SectionHead } from '../../ui/SectionHead.tsx'
import { Skeleton } from '../../ui/Skeleton.tsx'
import type { AdminSession } from './adminSession.ts'
import { callAdmin, toFailureText } from './callAdmin.ts'
import { describeAgent } from './describeAgent.ts'
import { useAdminRefresh, useOperatorSessions } from './useAdminData.ts'

/** Open sessions, each with the way to end it. */
export function SessionList({ session }: { readonly session: AdminSession }) {
  const query = useOperatorSessions(session)
  const refresh = useAdminRefresh(session)
  const [busyId, setBusyId] = useState<string>()
  const end = async (id: string) => {
    if (busyId !== undefined) return
    setBusyId(id)
    try {
      await callAdmin(session, sessionEndUrl(id))
      notify('The session has ended')
    } catch (error) {
      notify(toFailureText(error, 'Failed to end the session'), 'note')
    }
    await refresh()
    setBusyId(undefined)
  }
  return (
    <section aria-labelledby="sessions">
      <SectionHead id="sessions" text="Sessions" count={query.data?.length} />
      <QueryView
        query={query}
        isEmpty={(sessions) => sessions.length === 0}
        waiting={<WaitingSessions />}
        empty={() => <EmptyNote title="No open sessions" />}
        failureText="Failed to load the sessions"
        preferServerText
      >
        {(sessions) => (
          <ul className="mt-2 border-line border-t text-13">
            {sessions.map((each) => (
              <SessionRow
                key={each.id}
                open={each}
                isOwn={each.id === session.id}
                busy={busyId === each.id}
                onEnd={() => void end(each.id)}
              />
            ))}
          </ul>
        )}
      </QueryView>
    </section>
  )
}

type RowProps = {
  readonly open: WireOperatorSession
  /** The one that this page uses. */
  readonly isOwn: boolean
  readonly busy: boolean
  readonly onEnd: () => void
}

const columns = 'tablet:grid-cols-[7.5rem_5rem_minmax(0,1fr)_17rem_5.5rem]'

function SessionRow({ open, isOwn, busy, onEnd }: RowProps) {
  const nowSeconds = useNow()
  const ago = (moment: string) => formatRelativeTime(Date.parse(moment) / 1000, nowSeconds)
  const agent = describeAgent(open.agent)
  return (
    <li
      className={`figures grid min-h-14 grid-cols-[minmax(0,1fr)_auto] items-center gap-x-3 gap-y-0.5 border-line border-b py-2.5 tablet:px-3 ${columns}`}
    >
      <span title={open.wallet} className="font-mono text-12">
        {shortenAddress(open.wallet)}
      </span>
      <span className="text-ink-2 max-tablet:text-right">{open.role}</span>
      <span title={open.agent} className="truncate text-ink-2">
        <bdi>{agent}</bdi>
      </span>
      <span className="text-ink-2 tablet:text-right">
        Started <time dateTime={open.startedAt}>{ago(open.startedAt)}</time>, used{' '}
        <time dateTime={open.usedAt}>{ago(open.usedAt)}</time>
      </span>
      <span className="text-right max-tablet:col-start-2 max-tablet:row-span-2 max-tablet:row-start-2">
        {isOwn ? (
          <span className="font-strong">This one</span>
        ) : (
          <button
            type="button"
            aria-busy={busy}
            onClick={onEnd}
            className={`${outlinedControl} h-8 px-2.5! text-down! hover:border-down touch:h-11`}
          >
            {busy ? 'Ending…' : 'End'}
            <span className="sr-only">{` the session of ${shortenAddress(open.wallet)}, ${agent}`}</span>
          </button>
        )}
      </span>
    </li>
  )
}

function WaitingSessions() {
  return (
    <div aria-busy="true" className="mt-2 border-line border-t">
      {[0, 1].map((row) => (
        <div key={row} className="flex h-14 items-center gap-8 border-line border-b tablet:px-3">
          <Skeleton width={90} />
          <Skeleton width={220} />
        </div>
      ))}
    </div>
  )
}

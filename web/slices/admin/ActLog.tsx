import type { WireAdminAct } from '@chainboard/contract'
import { formatRelativeTime, shortenAddress } from '@chainboard/core'
import { useState } from 'react'
import { phoneQuery, useMediaQuery } from '../../lib/useMediaQuery.ts'
import { useNow } from '../../lib/useNow.ts'
import { outlinedControl } from '../../ui/buttonStyles.ts'
import { EmptyNote } from '../../ui/EmptyNote.tsx'
import { QueryView } from '../../ui/QueryView.tsx'
import { Skeleton } from '../../ui/Skeleton.tsx'
import type { AdminSession } from './adminSession.ts'
import { alertTexts, describeAct } from './describeAct.ts'
import { useAdminActs } from './useAdminData.ts'

/** Rows more at a time: what the server sends at once, and what leaves a phone's page a page. */
const pageStep = 50
const phoneStep = 8

/** As much of a record's id as tells it from others. */
const idLength = 8

/** What operators did, newest first. */
export function ActLog({ session }: { readonly session: AdminSession }) {
  const query = useAdminActs(session)
  const { hasNextPage, isFetchingNextPage, fetchNextPage } = query
  const step = useMediaQuery(phoneQuery) ? phoneStep : pageStep
  const [steps, setSteps] = useState(1)
  const room = steps * step
  const more = (known: number) => {
    setSteps(steps + 1)
    if (known < room + step && hasNextPage) void fetchNextPage()
  }
  return (
    <section aria-labelledby="audit-log" className="pt-10 pb-4">
      <h2 id="audit-log" className="pb-2 text-16 font-strong tracking-tight">
        Audit log
      </h2>
      <QueryView
        query={query}
        isEmpty={({ acts }) => acts.length === 0}
        waiting={<WaitingActs />}
        empty={() => <EmptyNote title="No activity yet" />}
        failureText="Failed to load the audit log"
        preferServerText
      >
        {({ acts }) => (
          <>
            <ol className="border-line border-t text-13">
              {acts.slice(0, room).map((act) => (
                <ActRow key={act.id} act={act} />
              ))}
            </ol>
            {(hasNextPage || acts.length > room) && (
              <div className="flex justify-center py-4">
                <button
                  type="button"
                  onClick={() => more(acts.length)}
                  aria-busy={isFetchingNextPage}
                  className={`${outlinedControl} min-w-30 touch:h-11`}
                >
                  {isFetchingNextPage ? 'Loading…' : 'Show more'}
                </button>
              </div>
            )}
          </>
        )}
      </QueryView>
    </section>
  )
}

function ActRow({ act }: { readonly act: WireAdminAct }) {
  const nowSeconds = useNow()
  const { verb, facts } = describeAct(act)
  const { alerts, entry, role } = act
  return (
    <li className="figures grid grid-cols-[6.5rem_minmax(0,1fr)] gap-x-3 border-line border-b py-2.5 tablet:grid-cols-[6.5rem_7.5rem_minmax(0,1fr)] tablet:px-3">
      <time
        dateTime={act.at}
        title={entry === null ? act.at : `Entry ${entry.toLocaleString('en-US')}, ${act.at}`}
        className="text-ink-2"
      >
        {formatRelativeTime(Date.parse(act.at) / 1000, nowSeconds)}
      </time>
      <span
        title={role === null ? act.wallet : `${act.wallet}, ${role}`}
        className="font-mono text-12 leading-5 text-ink-2 max-tablet:text-right"
      >
        {shortenAddress(act.wallet)}
      </span>
      <span className="wrap-anywhere max-tablet:col-span-2">
        <span className="font-strong">{verb}</span>
        {act.keyId && (
          <>
            {' '}
            <span className="font-mono text-12 text-ink-2" title={`Record ${act.keyId}`}>
              {act.keyId.slice(0, idLength)}
            </span>
          </>
        )}
        {facts && <bdi className="text-ink-2"> {facts}</bdi>}
        {alerts.map((alert) => (
          <span key={alert} className="ml-2 text-12 font-strong text-warn">
            <span aria-hidden="true">▲ </span>
            {alertTexts[alert]}
          </span>
        ))}
      </span>
    </li>
  )
}

function WaitingActs() {
  return (
    <div aria-busy="true" className="border-line border-t">
      {[0, 1, 2].map((row) => (
        <div key={row} className="flex h-10 items-center gap-8 border-line border-b tablet:px-3">
          <Skeleton width={60} />
          <Skeleton width={90} />
          <Skeleton width={220} />
        </div>
      ))}
    </div>
  )
}

import type { WireSiteAlert, WireSiteState } from '@chainboard/contract'
import { formatRelativeTime, hasRole } from '@chainboard/core'
import { type ReactNode, useState } from 'react'
import { adminUrls } from '../../lib/adminUrls.ts'
import { notify } from '../../lib/notice.ts'
import type { QueryFacts } from '../../lib/queryState.ts'
import { useNow } from '../../lib/useNow.ts'
import { outlinedControl } from '../../ui/buttonStyles.ts'
import { QueryView } from '../../ui/QueryView.tsx'
import { SectionHead } from '../../ui/SectionHead.tsx'
import { Skeleton } from '../../ui/Skeleton.tsx'
import type { AdminSession } from './adminSession.ts'
import { callAdmin, toFailureText } from './callAdmin.ts'
import { describeSite, type SiteFact, type SiteGroup } from './describeSite.ts'
import { FeaturedSection } from './FeaturedSection.tsx'
import { useAdminRefresh } from './useAdminData.ts'
import type { FeaturedPreview } from './useFeaturedTokens.ts'

type Props = {
  readonly session: AdminSession
  readonly preview: FeaturedPreview
  readonly query: QueryFacts<WireSiteState> & { readonly isFetching: boolean; readonly refetch: () => unknown }
}

/** How the site does: what needs somebody first, then every part in figures. */
export function SiteView({ session, preview, query }: Props) {
  return (
    <QueryView
      query={query}
      isEmpty={() => false}
      waiting={<WaitingSite />}
      empty={() => null}
      failureText="Failed to load the state of the site"
      preferServerText
    >
      {(state) => (
        <>
          <AlertList alerts={state.alerts} />
          <div className="mt-8 grid gap-x-10 gap-y-8 tablet:grid-cols-2 tablet:px-3 desk:grid-cols-3">
            {describeSite(state).map((group) => (
              <FactGroup key={group.title} group={group}>
                {group.title === 'Token list' && state.list.web && <ReloadButton session={session} />}
              </FactGroup>
            ))}
          </div>
          <FeaturedSection session={session} preview={preview} />
        </>
      )}
    </QueryView>
  )
}

const marks = {
  critical: { glyph: '▲', tone: 'text-down', word: 'Critical' },
  warning: { glyph: '▲', tone: 'text-warn', word: 'Warning' },
} as const

function AlertList({ alerts }: { readonly alerts: readonly WireSiteAlert[] }) {
  const nowSeconds = useNow()
  return (
    <section aria-labelledby="alerts">
      <SectionHead id="alerts" text="Alerts" count={alerts.length} />
      {alerts.length === 0 ? (
        <p className="mt-2 flex items-center gap-2 border-line border-y py-4 text-13 text-ink-2 tablet:px-3">
          <span aria-hidden="true" className="size-1.5 rounded-full bg-up" />
          Nothing needs your attention.
        </p>
      ) : (
        <ul className="mt-2 border-line border-t text-13">
          {alerts.map(({ level, about, text, since }) => (
            <li
              key={`${about} ${text}`}
              className="figures grid grid-cols-[5.5rem_minmax(0,1fr)] gap-x-3 border-line border-b py-2.5 tablet:grid-cols-[6.5rem_minmax(0,1fr)_6rem] tablet:px-3"
            >
              <span className={`font-strong ${marks[level].tone}`}>
                <span aria-hidden="true" className="mr-1.5 text-12">
                  {marks[level].glyph}
                </span>
                {marks[level].word}
              </span>
              <span className="wrap-anywhere">{text}</span>
              <span className="text-ink-2 max-tablet:col-start-2 tablet:text-right">
                {since === null ? '' : formatRelativeTime(since, nowSeconds)}
              </span>
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}

function FactGroup({ group: { title, facts }, children }: { readonly group: SiteGroup; readonly children?: ReactNode }) {
  const id = `site-${title.toLowerCase().replaceAll(' ', '-')}`
  return (
    <section aria-labelledby={id}>
      <div className="flex min-h-9 items-center justify-between border-line-strong border-b">
        <h2 id={id} className="text-13 font-strong">
          {title}
        </h2>
        {children}
      </div>
      <dl className="figures text-13">
        {facts.map((fact) => (
          <Fact key={fact.term} {...fact} />
        ))}
      </dl>
    </section>
  )
}

function Fact({ term, text, note, bad }: SiteFact) {
  return (
    <div className="flex min-h-9 items-baseline justify-between gap-4 border-line border-b py-2">
      <dt className="min-w-0 truncate text-ink-2" title={term}>
        {term}
      </dt>
      <dd className={`shrink-0 text-right ${bad ? 'font-strong text-warn' : ''}`}>
        {bad && (
          <span aria-hidden="true" className="mr-1.5 text-12">
            ▲
          </span>
        )}
        {text}
        {note && <span className={bad ? '' : 'text-ink-2'}> · {note}</span>}
      </dd>
    </div>
  )
}

function ReloadButton({ session }: { readonly session: AdminSession }) {
  const [busy, setBusy] = useState(false)
  const refresh = useAdminRefresh(session)
  if (!hasRole(session.role, 'editor')) return null
  const reload = async () => {
    setBusy(true)
    try {
      await callAdmin(session, adminUrls.reloadList)
      notify('Reloading the token list from its URL')
    } catch (error) {
      notify(toFailureText(error, 'Failed to reload the token list'), 'note')
    }
    await refresh()
    setBusy(false)
  }
  return (
    <button
      type="button"
      aria-busy={busy}
      onClick={() => void (busy || reload())}
      className={`${outlinedControl} h-7 px-2.5! text-12! touch:h-11`}
    >
      {busy ? 'Reloading…' : 'Reload'}
      <span className="sr-only"> the token list</span>
    </button>
  )
}

function WaitingSite() {
  return (
    <div aria-busy="true">
      <p role="status" className="sr-only">
        Loading the state of the site
      </p>
      <div className="h-11 border-line border-b tablet:px-3">
        <Skeleton width={64} />
      </div>
      <div className="mt-8 grid gap-x-10 gap-y-8 tablet:grid-cols-2 tablet:px-3 desk:grid-cols-3">
        {[0, 1, 2, 3, 4, 5].map((group) => (
          <div key={group}>
            <div className="flex h-9 items-center border-line-strong border-b">
              <Skeleton width={72} />
            </div>
            {[0, 1, 2, 3].map((row) => (
              <div key={row} className="flex h-9 items-center justify-between border-line border-b">
                <Skeleton width={90} />
                <Skeleton width={64} />
              </div>
            ))}
          </div>
        ))}
      </div>
    </div>
  )
}

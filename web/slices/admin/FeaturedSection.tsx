import { hasRole } from '@chainboard/core'
import { useState } from 'react'
import { adminUrls } from '../../lib/adminUrls.ts'
import { notify } from '../../lib/notice.ts'
import { TokenMark } from '../../token/TokenMark.tsx'
import { toTokenText } from '../../token/tokenText.ts'
import { outlinedControl } from '../../ui/buttonStyles.ts'
import { FailureLine } from '../../ui/FailureLine.tsx'
import { SectionHead } from '../../ui/SectionHead.tsx'
import { Skeleton } from '../../ui/Skeleton.tsx'
import type { AdminSession } from './adminSession.ts'
import { callAdmin, useAct } from './callAdmin.ts'
import { FeaturedEditor } from './FeaturedEditor.tsx'
import { useAdminRefresh } from './useAdminData.ts'
import { type FeaturedPreview, type FeaturedTokens, useFeaturedTokens } from './useFeaturedTokens.ts'

type Props = { readonly session: AdminSession; readonly preview: FeaturedPreview }

/** What the home page features, and how an operator changes it. */
export function FeaturedSection({ session, preview }: Props) {
  const { data, error, isFetching, refetch } = useFeaturedTokens(session)
  const [editing, setEditing] = useState(false)
  const { busy, error: failure, run } = useAct()
  const refresh = useAdminRefresh(session)
  const mayEdit = data?.allowed === true && hasRole(session.role, 'editor')
  const save = async (tokens: readonly string[] | null) => {
    const done = await run(
      () => callAdmin<object>(session, adminUrls.editFeatured, { tokens }),
      'Failed to save the featured tokens',
    )
    if (!done) return
    notify(tokens === null ? 'Featured tokens now come from the files' : 'Featured tokens saved')
    setEditing(false)
    await refresh()
  }
  return (
    <section aria-labelledby="featured-tokens" className="mt-10">
      <SectionHead id="featured-tokens" text="Featured tokens" count={data?.shown.length}>
        {mayEdit && !editing && (
          <div className="flex gap-2">
            {data.source === 'panel' && (
              <button type="button" aria-busy={busy} onClick={() => void save(null)} className={`${outlinedControl} touch:h-11`}>
                Use the files
              </button>
            )}
            <button type="button" onClick={() => setEditing(true)} className={`${outlinedControl} touch:h-11`}>
              Edit<span className="sr-only"> the featured tokens</span>
            </button>
          </div>
        )}
      </SectionHead>
      {error && !data && (
        <div className="mt-2 flex min-h-20">
          <FailureLine text="Failed to load the featured tokens" busy={isFetching} onRetry={() => void refetch()} />
        </div>
      )}
      {!data && !error && (
        <div aria-busy="true" className="mt-2 flex h-14 items-center border-line border-y tablet:px-3">
          <Skeleton width={260} />
        </div>
      )}
      {data && !editing && <FeaturedNow featured={data} />}
      {data && editing && (
        <FeaturedEditor
          featured={data}
          busy={busy}
          error={failure}
          preview={preview}
          onSave={(tokens) => void save(tokens)}
          onCancel={() => setEditing(false)}
        />
      )}
    </section>
  )
}

function FeaturedNow({ featured: { shown, source, allowed } }: { readonly featured: FeaturedTokens }) {
  const from = source === 'panel' ? 'Chosen in this panel.' : 'Set in highlighted.json.'
  return (
    <div className="mt-2 border-line border-y py-3 text-13 tablet:px-3">
      {shown.length > 0 && (
        <ol className="flex flex-wrap gap-x-5 gap-y-2 pb-2">
          {shown.map((token) => (
            <li key={token.address} className="flex items-center gap-2">
              <TokenMark token={token} size={20} />
              <span className="font-strong">{toTokenText(token).symbol}</span>
            </li>
          ))}
        </ol>
      )}
      <p className="text-ink-2">
        {shown.length === 0 && 'Nothing is featured. '}
        {from}
        {!allowed && ' Editing is off ("panelEdits" in the network file).'}
      </p>
    </div>
  )
}

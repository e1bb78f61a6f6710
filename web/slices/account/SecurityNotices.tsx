import type { WireNotice } from '@chainboard/contract'
import { formatRelativeTime } from '@chainboard/core'
import { useNow } from '../../lib/useNow.ts'
import { outlinedControl } from '../../ui/buttonStyles.ts'
import { Icon } from '../../ui/Icon.tsx'
import { dismissNotice } from './securityCommands.ts'
import { useAct } from './useAct.ts'
import { useSecurity } from './useSecurity.ts'

const happened: Readonly<Record<WireNotice['kind'], string>> = {
  signIn: 'New login',
  pinChanged: 'PIN changed',
  recovered: 'PIN reset with a recovery code',
  codesMade: 'New recovery codes',
  easyPin: 'Your PIN is easy to guess',
}

/** More stay with the server until these are seen. */
const shownMax = 3

/** What other devices did with the account, until the user has seen it. Nothing when there is nothing, or it cannot be read: the list of devices says so. */
export function SecurityNotices({ username }: { readonly username: string }) {
  const { data } = useSecurity(username)
  const { running, run } = useAct()
  const now = useNow()
  const notices = data?.notices ?? []
  if (notices.length === 0) return null
  return (
    <section aria-label="Security notices" className="mt-4 flex flex-col gap-2">
      {notices.slice(0, shownMax).map(({ id, kind, browser, at }) => (
        <div
          key={id}
          role="status"
          className="appear flex flex-wrap items-center gap-x-4 gap-y-3 rounded-14 border border-line-strong bg-surface-1 px-4 py-3"
        >
          <span className="text-warn">
            <Icon name="warning" size={20} />
          </span>
          <p className="min-w-0 flex-1 basis-60 text-13 text-ink-2">
            <span className="font-strong text-ink">
              {happened[kind]}
              {kind === 'easyPin' ? '.' : browser && `: ${browser}`}
            </span>{' '}
            {kind === 'easyPin' ? (
              'Attackers try it first, so it may be refused on new devices.'
            ) : (
              <>
                <time dateTime={new Date(at * 1_000).toISOString()}>{formatRelativeTime(at, now)}</time>. If this wasn't you, log
                it out under Devices and change your PIN.
              </>
            )}
          </p>
          <div className="flex gap-2">
            <a href={kind === 'easyPin' ? '#change-pin' : '#devices'} className={`${outlinedControl} touch:h-11`}>
              {kind === 'easyPin' ? 'Change PIN' : 'Review'}
            </a>
            {kind !== 'easyPin' && (
              <button
                type="button"
                disabled={running !== undefined}
                onClick={() => void run(id, { act: () => dismissNotice(username, id), failed: 'Failed to remove the notice' })}
                className={`${outlinedControl} disabled:text-ink-3 touch:h-11`}
              >
                {running === id ? 'Removing…' : 'It Was Me'}
              </button>
            )}
          </div>
        </div>
      ))}
    </section>
  )
}

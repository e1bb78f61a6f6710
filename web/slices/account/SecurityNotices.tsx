import type { WireNotice } from '@chainboard/contract'
import { formatRelativeTime } from '@chainboard/core'
import { useNow } from '../../lib/useNow.ts'
import { outlinedControl } from '../../ui/buttonStyles.ts'
import { Icon } from '../../ui/Icon.tsx'
import { headings } from './methods/useMethods.ts'
import { dismissNotice } from './securityCommands.ts'
import { useAct } from './useAct.ts'
import { useSecurity } from './useSecurity.ts'

/** `place`: the heading under which the owner looks into it. */
type Words = { readonly happened: string; readonly ifNotYou: string; readonly place: string }

const removeOthers = "remove passkeys and linked wallets that aren't yours"
const endAndChange = { ifNotYou: `press Log Out All Others, ${removeOthers}, and change your PIN`, place: 'devices' }

const words: Readonly<Record<Exclude<WireNotice['kind'], 'easyPin'>, Words>> = {
  signIn: { happened: 'New login', ...endAndChange },
  pinChanged: { happened: 'PIN changed', ...endAndChange },
  recovered: { happened: 'PIN reset with a recovery code', ...endAndChange },
  pinReset: {
    happened: 'PIN reset with a passkey or wallet',
    ifNotYou: `${removeOthers}, and change your PIN`,
    place: headings.passkeys,
  },
  codesMade: { happened: 'New recovery codes', ...endAndChange },
  passkeyAdded: { happened: 'Passkey added', ifNotYou: 'remove that passkey and change your PIN', place: headings.passkeys },
  walletLinked: {
    happened: 'Wallet linked for login',
    ifNotYou: 'remove that wallet and change your PIN',
    place: headings.wallets,
  },
}

/** A server of another version may know more kinds. */
function toWords(kind: keyof typeof words): Words {
  return Object.hasOwn(words, kind) ? words[kind] : { happened: 'Your account was changed', ...endAndChange }
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
  const dismiss = (id: string) => void run(id, { act: () => dismissNotice(username, id), failed: 'Failed to remove the notice' })
  return (
    <section aria-label="Security notices" className="mt-4 flex flex-col gap-2">
      {notices.slice(0, shownMax).map((notice) => (
        <div
          key={notice.id}
          role="status"
          className="appear flex flex-wrap items-center gap-x-4 gap-y-3 rounded-14 border border-line-strong bg-surface-1 px-4 py-3"
        >
          <span className="text-warn">
            <Icon name="warning" size={20} />
          </span>
          <p className="min-w-0 flex-1 basis-60 text-13 text-ink-2">
            <Text notice={notice} now={now} />
          </p>
          <div className="flex gap-2">
            <a
              href={notice.kind === 'easyPin' ? '#change-pin' : `#${toWords(notice.kind).place}`}
              className={`${outlinedControl} touch:h-11`}
            >
              {notice.kind === 'easyPin' ? 'Change PIN' : 'Review'}
            </a>
            {notice.kind !== 'easyPin' && (
              <button
                type="button"
                disabled={running !== undefined}
                onClick={() => dismiss(notice.id)}
                className={`${outlinedControl} disabled:text-ink-3 touch:h-11`}
              >
                {running === notice.id ? 'Removing…' : 'It Was Me'}
              </button>
            )}
          </div>
        </div>
      ))}
    </section>
  )
}

function Text({ notice: { kind, browser, at }, now }: { readonly notice: WireNotice; readonly now: number }) {
  if (kind === 'easyPin')
    return (
      <>
        <span className="font-strong text-ink">Your PIN is easy to guess.</span> Attackers try it first, so it may be refused on
        new devices.
      </>
    )
  const { happened, ifNotYou } = toWords(kind)
  return (
    <>
      <span className="font-strong text-ink">
        {happened}
        {browser && `: ${browser}`}
      </span>{' '}
      <time dateTime={new Date(at * 1_000).toISOString()}>{formatRelativeTime(at, now)}</time>. If this wasn't you, {ifNotYou}.
    </>
  )
}

import type { WireDevice, WireSecurity } from '@chainboard/contract'
import { formatRelativeTime } from '@chainboard/core'
import { useNow } from '../../lib/useNow.ts'
import { outlinedControl } from '../../ui/buttonStyles.ts'
import { QueryView } from '../../ui/QueryView.tsx'
import { Skeleton } from '../../ui/Skeleton.tsx'
import { endDevice, endOtherDevices } from './securityCommands.ts'
import { useAct } from './useAct.ts'
import { useSecurity } from './useSecurity.ts'

const others = 'others'
const failed = 'Failed to log the device out'

/** Where the user is logged in. Each device can be logged out, or all but this one. */
export function DeviceList({ username }: { readonly username: string }) {
  const query = useSecurity(username)
  const { running, run } = useAct()
  const logOutOthers = () =>
    run(others, { act: () => endOtherDevices(username), done: 'All other devices are logged out and forgotten', failed })
  return (
    <section aria-labelledby="devices" className="desk:col-span-2">
      <div className="flex flex-wrap items-end justify-between gap-x-6 gap-y-3">
        <div>
          <h3 id="devices" className="scroll-mt-20 text-14 font-strong">
            Devices
          </h3>
          <p className="mt-1 max-w-120 text-13 text-ink-2">
            Browsers where you are or were logged in. You can log in there even while someone is guessing your PIN.
          </p>
        </div>
        <button
          type="button"
          onClick={() => void logOutOthers()}
          // Also with no other device in the list: the networks of those that were forgotten one by one are still known.
          disabled={!query.data || running !== undefined}
          className={`${outlinedControl} disabled:text-ink-3 touch:h-11`}
        >
          {running === others ? 'Logging out…' : 'Log Out All Others'}
        </button>
      </div>
      <div className="mt-3 rounded-14 border border-line">
        <QueryView<WireSecurity>
          query={query}
          isEmpty={({ devices }) => devices.length === 0}
          waiting={<DeviceSkeleton />}
          empty={() => <p className="px-4 py-5 text-13 text-ink-2">No devices are logged in.</p>}
          failureText="Failed to load your devices"
          quiet
        >
          {({ devices }) => (
            <ul aria-labelledby="devices" className="divide-y divide-line">
              {devices.map((device) => (
                <Device
                  key={device.id}
                  device={device}
                  busy={running === device.id}
                  blocked={running !== undefined}
                  onEnd={() =>
                    void run(device.id, {
                      act: () => endDevice(username, device.id),
                      done: device.isSignedIn ? 'Device logged out' : 'Device forgotten',
                      failed,
                    })
                  }
                />
              ))}
            </ul>
          )}
        </QueryView>
      </div>
    </section>
  )
}

type DeviceProps = {
  readonly device: WireDevice
  readonly busy: boolean
  readonly blocked: boolean
  readonly onEnd: () => void
}

function Device({ device: { browser, at, isSignedIn, isCurrent }, busy, blocked, onEnd }: DeviceProps) {
  const now = useNow()
  const name = browser || 'Unknown browser'
  const act = isSignedIn ? 'Log Out' : 'Forget'
  return (
    <li className="flex min-h-14 items-center gap-3 py-2 pr-2 pl-4 touch:min-h-16">
      <div className="min-w-0 flex-1">
        <p className="flex flex-wrap items-baseline gap-x-2 text-14">
          <span className="truncate">{name}</span>
          {isCurrent && <span className="text-12 font-strong text-up">This device</span>}
        </p>
        <p className="text-12 text-ink-2">
          {isSignedIn ? 'Logged in ' : 'Logged out. Last login '}
          <time dateTime={new Date(at * 1_000).toISOString()}>{formatRelativeTime(at, now)}</time>
        </p>
      </div>
      {!isCurrent && (
        <button
          type="button"
          aria-label={`${act}: ${name}`}
          onClick={onEnd}
          disabled={blocked}
          className="h-9 shrink-0 rounded-8 px-3 text-13 font-strong text-ink-2 transition-colors duration-120 hover:bg-surface-2 hover:text-ink disabled:text-ink-3 touch:h-11"
        >
          {busy ? 'Working…' : act}
        </button>
      )}
    </li>
  )
}

function DeviceSkeleton() {
  return (
    <div role="status" aria-label="Loading your devices" className="flex min-h-14 items-center px-4 py-2 touch:min-h-16">
      <div className="flex flex-col gap-1.5">
        <Skeleton width={140} />
        <Skeleton width={90} height={12} />
      </div>
    </div>
  )
}

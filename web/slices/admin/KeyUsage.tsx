import type { WireApiKey } from '@chainboard/contract'

/** What of the day's limit is used, as figures and as a thin bar. */
export function KeyUsage({ usageToday, requestsPerDay }: Pick<WireApiKey, 'usageToday' | 'requestsPerDay'>) {
  const share = Math.min(100, (usageToday / requestsPerDay) * 100)
  return (
    <span className="figures block text-13">
      <span className={share >= 100 ? 'font-strong text-warn' : 'font-strong text-ink'}>
        {usageToday.toLocaleString('en-US')}
      </span>
      <span className="text-ink-2"> / {requestsPerDay.toLocaleString('en-US')}</span>
      <span aria-hidden="true" className="mt-1.5 block h-1 desk:max-w-32 overflow-hidden rounded-full bg-surface-3">
        <span style={{ width: `${share}%` }} className={`block h-full rounded-full ${share >= 100 ? 'bg-warn' : 'bg-ink-2'}`} />
      </span>
    </span>
  )
}

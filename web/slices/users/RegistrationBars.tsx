import { Skeleton } from '../../ui/Skeleton.tsx'
import { type DayCount, formatDay, weekdayOf, weekdays } from './calendarWeeks.ts'
import { formatCount } from './formatCount.ts'

const shownDays = 7
const barPx = 128

/** The last seven days as bars, and how many registered in all thirty. */
export function RegistrationBars({ days }: { readonly days: readonly DayCount[] | undefined }) {
  const shown = days?.slice(-shownDays) ?? []
  const max = Math.max(1, ...shown.map(({ users }) => users))
  const total = days?.reduce((sum, { users }) => sum + users, 0)
  return (
    <section aria-labelledby="registrations">
      <header className="items-baseline justify-between gap-4 tablet:flex">
        <h2 id="registrations" className="text-16 font-strong tracking-tight">
          User Registrations (Last 30 Days)
        </h2>
        <p key={total === undefined ? 'waiting' : 'there'} className="figures min-h-5 text-13 text-ink-2">
          {total === undefined ? <Skeleton width={96} /> : `30-day total: ${formatCount(total)}`}
        </p>
      </header>
      <ol aria-label="Registrations of the last 7 days" className="figures mt-4 grid grid-cols-7 gap-2">
        {days
          ? shown.map((day, index) => (
              <li key={day.date} className="flex flex-col items-center text-center">
                <Bar users={day.users} max={max} today={index === shown.length - 1} />
                <span className="mt-2 text-12 text-ink-2">
                  {weekdays[weekdayOf(day.date)]}
                  <span className="block text-ink-3">{formatDay(day.date)}</span>
                </span>
              </li>
            ))
          : weekdays.map((day) => <BarSkeleton key={day} />)}
      </ol>
    </section>
  )
}

function Bar({ users, max, today }: { readonly users: number; readonly max: number; readonly today: boolean }) {
  return (
    <span className="flex w-full flex-col items-center justify-end gap-1" style={{ height: barPx + 24 }}>
      <span className={`text-13 ${users > 0 ? 'font-strong' : 'text-ink-3'}`}>{formatCount(users)}</span>
      <span
        aria-hidden="true"
        style={{ height: Math.max(2, (users / max) * barPx) }}
        data-strength={users === 0 ? 0 : today ? 3 : 1}
        className={`w-full max-w-14 rounded-t-6 ${users === 0 ? 'bg-line-strong' : today ? 'bg-accent' : 'bg-accent/45'}`}
      />
    </span>
  )
}

function BarSkeleton() {
  return (
    <li className="flex flex-col items-center">
      <span className="flex w-full items-end justify-center" style={{ height: barPx + 24 }}>
        <span className="skeleton h-1/2 w-full max-w-14" />
      </span>
      <span className="mt-2 flex h-8 flex-col justify-center gap-1">
        <Skeleton width={24} height={10} />
        <Skeleton width={32} height={10} />
      </span>
    </li>
  )
}

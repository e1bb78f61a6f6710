import { type CalendarWeek, type DayCount, formatDay, toCalendarWeeks, weekdays } from './calendarWeeks.ts'
import { formatCount, formatShortCount } from './formatCount.ts'
import { type HeatShade, heatShades, toHeatShade } from './heatShade.ts'

/** With up to 38 % of the accent the ground keeps ink readable, whatever the accent; the last shade has ink of its own. */
const looks: Readonly<Record<HeatShade, string>> = {
  0: 'border border-line-strong',
  1: 'bg-accent/18 text-ink',
  2: 'bg-accent/38 text-ink',
  3: 'bg-accent font-strong text-on-accent',
}

/** Thirty days touch six weeks at most. */
const weeksMax = 6

/** Every day of the chart as a calendar, the stronger the more registered. The count stands in the cell: nobody needs the shade. */
export function RegistrationGrid({ days }: { readonly days: readonly DayCount[] | undefined }) {
  const weeks = toCalendarWeeks(days ?? [])
  return (
    <section aria-labelledby="timeline">
      <header className="items-baseline justify-between gap-4 tablet:flex">
        <h2 id="timeline" className="text-16 font-strong tracking-tight">
          Complete Registration Timeline
        </h2>
        <Legend />
      </header>
      <table className="figures mt-3 w-full table-fixed border-separate border-spacing-0.5 text-12 tablet:border-spacing-1">
        <caption className="sr-only">Registrations of each day of the last 30 days, by week</caption>
        <thead>
          <tr>
            <th scope="col" className="w-11 font-normal tablet:w-14">
              <span className="sr-only">Week of</span>
            </th>
            {weekdays.map((day) => (
              <th key={day} scope="col" className="h-5 font-normal text-ink-3">
                {day}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {days
            ? weeks.map((week) => <WeekRow key={week.find(Boolean)?.date} week={week} />)
            : Array.from({ length: weeksMax - 1 }, (_, index) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: a fixed list of bars
                <tr key={index}>
                  <td />
                  {weekdays.map((day) => (
                    <td key={day} className="skeleton h-8 rounded-6!" />
                  ))}
                </tr>
              ))}
        </tbody>
      </table>
    </section>
  )
}

function WeekRow({ week }: { readonly week: CalendarWeek }) {
  const first = week.find((day) => day !== undefined)
  return (
    <tr>
      <th scope="row" className="whitespace-nowrap text-left font-normal text-ink-3">
        {first && formatDay(first.date)}
      </th>
      {week.map((day, index) =>
        day ? (
          <td
            key={day.date}
            title={`${formatDay(day.date)}: ${formatCount(day.users)}`}
            data-strength={toHeatShade(day.users)}
            className={`h-8 rounded-6 text-center ${looks[toHeatShade(day.users)]}`}
          >
            <span className={day.users === 0 ? 'sr-only' : ''}>{formatShortCount(day.users)}</span>
          </td>
        ) : (
          <td key={weekdays[index]} className="h-8" />
        ),
      )}
    </tr>
  )
}

function Legend() {
  return (
    <ul aria-label="Shades" className="flex gap-3 max-tablet:mt-1.5 text-12 text-ink-2">
      {heatShades.map(({ shade, text }) => (
        <li key={shade} className="flex items-center gap-1.5">
          <span aria-hidden="true" data-strength={shade} className={`h-4 w-6 rounded-6 ${looks[shade]}`} />
          {text}
        </li>
      ))}
    </ul>
  )
}

const units = [
  { seconds: 86_400, name: 'day', from: 3 * 86_400 },
  { seconds: 3_600, name: 'hour', from: 3_600 },
  { seconds: 60, name: 'minute', from: 60 },
  { seconds: 1, name: 'second', from: 0 },
] as const

/** What a payment buys: `24 hours`, `90 minutes`, `30 days` from three days on. The largest unit that says it exactly. */
export function describeDuration(durationSeconds: number): string {
  const { seconds, name } = units.find((unit) => durationSeconds >= unit.from && durationSeconds % unit.seconds === 0) ?? units[3]
  const count = durationSeconds / seconds
  return `${count.toLocaleString('en-US')} ${name}${count === 1 ? '' : 's'}`
}

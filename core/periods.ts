// Hours and UTC days, by unix seconds.

/** Seconds of an hour. */
export const hourSeconds = 3_600
/** Seconds of a UTC day: unix time has no leap seconds. */
export const daySeconds = 86_400

/** Unix seconds at which the hour of a moment began. Moments before 1970 are none of ours. */
export function startOfHour(seconds: number): number {
  return seconds - (seconds % hourSeconds)
}

/** Unix seconds at which the UTC day of a moment began. */
export function startOfDay(seconds: number): number {
  return seconds - (seconds % daySeconds)
}

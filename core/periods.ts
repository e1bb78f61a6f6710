// Hours and UTC days, by unix seconds.

export const hourSeconds = 3_600
export const daySeconds = 86_400

export function startOfHour(seconds: number): number {
  return seconds - (seconds % hourSeconds)
}

export function startOfDay(seconds: number): number {
  return seconds - (seconds % daySeconds)
}

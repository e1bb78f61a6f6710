const steps = [
  [31_557_600, 'y'],
  [86_400, 'd'],
  [3_600, 'h'],
  [60, 'm'],
] as const

/** `90_000` -> `1d`: whole units of the largest that is there; under a minute `<1m`. */
export function formatAge(seconds: number): string {
  const step = steps.find(([size]) => seconds >= size)
  return step ? `${Math.floor(seconds / step[0])}${step[1]}` : '<1m'
}

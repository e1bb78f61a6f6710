/**
 * What the doctor says of one thing. `field`: where the operator changes it. `wanted` and `todo` are absent when all is well
 * there; `warn` is what runs but costs something or could not be looked at, `fail` what gives wrong or no prices.
 */
export type Finding = {
  readonly level: 'ok' | 'warn' | 'fail'
  readonly field: string
  readonly found: string
  readonly wanted?: string
  readonly todo?: string
}

/** The part of a finding that is not its level. */
export type Trouble = Required<Omit<Finding, 'level'>>

const tags = { ok: 'ok  ', warn: 'warn', fail: 'FAIL' } as const

/** @param found what was looked at, in a few words */
export function ok(field: string, found: string): Finding {
  return { level: 'ok', field, found }
}

/** What costs something, or could not be looked at. */
export function warn(trouble: Trouble): Finding {
  return { level: 'warn', ...trouble }
}

/** What gives wrong prices or none. */
export function fail(trouble: Trouble): Finding {
  return { level: 'fail', ...trouble }
}

/** `FAIL  usdc.decimals: found 18, expected 6. Write 18 there`; a finding that is ok ends after what was found. */
export function formatFinding({ level, field, found, wanted, todo }: Finding): string {
  if (wanted === undefined) return `${tags[level]}  ${field}: ${found}`
  return `${tags[level]}  ${field}: found ${found}, expected ${wanted}. ${todo}`
}

/** `12 ok, 1 warning, no failure`. */
export function formatSummary(findings: readonly Finding[]): string {
  const count = (level: Finding['level']) => findings.filter((finding) => finding.level === level).length
  return `${count('ok')} ok, ${plural(count('warn'), 'warning')}, ${plural(count('fail'), 'failure')}`
}

function plural(count: number, word: string): string {
  return `${count === 0 ? 'no' : count} ${word}${count > 1 ? 's' : ''}`
}

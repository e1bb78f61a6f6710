import { Type } from 'typebox'
import { Value } from 'typebox/value'

/** What is known of the packages of a lock file. `unknown`: no advisories could be read, which says nothing of the packages. */
export type Judgement =
  | { readonly kind: 'unknown'; readonly reason: string }
  | { readonly kind: 'judged'; readonly found: readonly Vulnerable[] }

/** A package with an advisory. `range`: the versions that have it. */
export type Vulnerable = { readonly name: string; readonly severity: string; readonly range: string }

const report = Type.Object({
  auditReportVersion: Type.Literal(2),
  vulnerabilities: Type.Record(
    Type.String(),
    Type.Object({ name: Type.String(), severity: Type.String(), range: Type.String() }),
  ),
})
const refusal = Type.Object({ message: Type.String() })

/** @param text what `npm audit --json` printed: its report (version 2), or why there is none */
export function judgeAudit(text: string): Judgement {
  const answer = parse(text)
  if (Value.Check(report, answer)) {
    const found = Object.values(answer.vulnerabilities).map(({ name, severity, range }) => ({ name, severity, range }))
    return { kind: 'judged', found: found.sort((a, b) => (a.name < b.name ? -1 : 1)) }
  }
  return { kind: 'unknown', reason: Value.Check(refusal, answer) ? answer.message : 'npm printed no report' }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

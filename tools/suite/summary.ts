import type { Verdict } from './judgePart.ts'
import type { Counts } from './readCounts.ts'

export type PartResult = Verdict & { readonly name: string; readonly seconds: number }

/** The end of a run in lines: one for each part, those of its failed tests under it, and the totals alone in the last one. */
export function summarize(results: readonly PartResult[]): string {
  const widest = Math.max(0, ...results.map(({ name }) => name.length))
  const lines = results.flatMap(({ name, seconds, fault, failures, ...counts }) => {
    const verdict = fault === undefined ? 'passed' : 'FAILED'
    const why = fault === undefined ? '' : ` (${fault})`
    const line = `${verdict}  ${name.padEnd(widest)}  ${seconds.toFixed(1).padStart(6)} s  ${toText(counts)}${why}`
    return [line, ...failures.map((failure) => `        ${failure}`)]
  })
  return ['', ...lines, toText(addUp(results))].join('\n')
}

function addUp(results: readonly Counts[]): Counts {
  const sum = (of: (counts: Counts) => number) => results.reduce((total, counts) => total + of(counts), 0)
  return { passed: sum(({ passed }) => passed), failed: sum(({ failed }) => failed), skipped: sum(({ skipped }) => skipped) }
}

function toText({ passed, failed, skipped }: Counts): string {
  return `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`
}

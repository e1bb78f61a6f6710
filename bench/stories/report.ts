import type { Family } from '../../server/testing/simulation/drawStory.ts'
import type { BatchReport } from '../../server/testing/simulation/runBatch.ts'
import { toTable } from '../table.ts'

type Ran = {
  readonly report: BatchReport
  readonly first: number
  readonly families: readonly Family[]
  readonly machine: readonly string[]
}

/** The section of the document that a run writes. */
export function toSection({ report, first, families, machine }: Ran): string {
  const { stories, seconds, events, virtualSeconds, failures, twice, noted } = report
  const happened = Object.entries(noted)
  return [
    '## Stories',
    `Each story runs the server's own code for following the chain, storing, lists and quotas on a simulated chain, with faults of the node,
the store and the process. After each, the index is compared with a sync from scratch, row by row.`,
    `\`\`\`sh\nnpm run bench -- stories --first ${first} --stories ${stories} --families ${families.join()}\n\`\`\``,
    machine.map((line) => `- ${line}`).join('\n'),
    `${stories} stories, ${failures.length} failed; ${twice} were run twice, to check that a seed gives the same story. ${seconds.toFixed(0)} s:
${Math.round((stories / seconds) * 3_600)} stories per hour, and ${Math.round(virtualSeconds / seconds)} simulated seconds per second; ${events} events.`,
    toTable(
      ['What happened', 'Times'],
      happened.map(([what, times]) => [what, String(times)]),
    ),
  ].join('\n\n')
}

import { resolve } from 'node:path'
import { writeSection } from './docsSection.ts'
import { describeMachine, type Machine } from './machine.ts'

/** How a section was measured. `command` makes it again. */
export type Measuring = { readonly command: string; readonly machine: Machine }

const benchmarksFile = resolve(import.meta.dirname, '../docs/benchmarks.md')

/** The option `--out` of benchmarks that write into docs/benchmarks.md. */
export const outOption = { type: 'string', default: benchmarksFile } as const

/** The command of a benchmark, as somebody would type it. */
export function toCommand(name: string, args: readonly string[]): string {
  return ['npm run bench --', name, ...args].join(' ')
}

/** Measures, prints the section, and writes it into the document in the place of the last one. @throws like `measure`: nothing is written then */
export async function measureSection(
  { name, args, out }: { readonly name: string; readonly args: readonly string[]; readonly out: string | undefined },
  measure: (measuring: Measuring) => Promise<string>,
): Promise<void> {
  const machine = describeMachine()
  if (machine.busy) console.warn('Other work is running on this machine: expect slower and less steady figures.')
  const section = await measure({ command: toCommand(name, args), machine })
  console.log(`\n${section}`)
  if (out === undefined) return
  writeSection(out, name, section)
  console.log(`Written to ${out}`)
}

import { join } from 'node:path'
import { withErrors } from './errorReporter.ts'

/** How the tests of a part are counted: by the report of its program, or as one check that its exit code decides. */
export type PartKind = 'check' | 'vitest' | 'playwright'

/** One program of the suite. */
export type Part = {
  readonly name: string
  readonly kind: PartKind
  readonly command: string
  readonly args: readonly string[]
  readonly env?: Readonly<Record<string, string>>
}

const withoutTests: readonly Part[] = [
  { name: 'format and lint', kind: 'check', command: 'biome', args: ['check', '.'] },
  // Each checker of a project looks at the types of packages anew: by itself TypeScript takes twice the time and 4.4 GB for the whole.
  { name: 'types', kind: 'check', command: 'tsc', args: ['-b', '--checkers', '1', '--builders', '2'] },
  { name: 'unused code', kind: 'check', command: 'knip', args: [] },
]

/** What `npm run check` runs: the suite has the last one among its unit tests. */
export const checks: readonly Part[] = [
  ...withoutTests,
  {
    name: 'architecture, figures, routes, sources, SDK types and page budget',
    kind: 'check',
    command: 'vitest',
    args: [
      'run',
      '--project',
      'tools',
      'tools/architecture',
      'tools/figures',
      'tools/routes',
      'tools/sources',
      'tools/writeSdkTypes',
      'tools/pageBudget',
    ],
  },
]

/** All of the suite, the quickest first. Nothing is retried, and a forgotten `only` fails. */
export const parts: readonly Part[] = [
  ...withoutTests,
  { name: 'unit tests', kind: 'vitest', command: 'vitest', args: ['run', '--allowOnly=false', '--retry=0'] },
  { name: 'browser tests', kind: 'playwright', command: 'playwright', args: ['test', '--forbid-only', '--retries=0'] },
]

/** What makes the program of a part write its report to a file, besides what it prints. */
export function withReport({ kind, args, env = {} }: Part, file: string): Pick<Required<Part>, 'args' | 'env'> {
  if (kind === 'vitest') {
    const errors = withErrors(file)
    const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${file}`, ...errors.args]
    return { args: [...args, ...reporters], env: { ...env, ...errors.env } }
  }
  if (kind === 'playwright')
    return { args: [...args, '--reporter=list,json'], env: { ...env, PLAYWRIGHT_JSON_OUTPUT_FILE: file } }
  return { args, env }
}

/** Where the report of a part is, in a folder of one run. */
export function reportPath(folder: string, { name }: Part): string {
  return join(folder, `${name.replaceAll(' ', '-')}.json`)
}

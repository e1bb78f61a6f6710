import { firstLoadBudget, firstLoadBytes, type PageFile } from '../../tools/builtPage.ts'
import type { Measuring } from '../measureSection.ts'
import { toHead } from '../sectionHead.ts'
import { median } from '../statistics.ts'
import { toTable } from '../table.ts'
import { categories, type Device, type PageRun } from './lighthouse.ts'
import { type SlowVisit, slowNetwork } from './slowNetwork.ts'

type Measured = Measuring & {
  /** Its version. */
  readonly lighthouse: string
  readonly runs: readonly PageRun[]
  /** Visits on a slow network. */
  readonly slow: readonly SlowVisit[]
  readonly files: readonly PageFile[]
}

/** The section "Page" of the document. */
export function toSection({ lighthouse, runs, slow, files, ...measuring }: Measured): string {
  const complaints = [...new Set(runs.flatMap((run) => run.complaints))]
  return [
    ...toHead({
      ...measuring,
      title: 'Page',
      about: 'The size of the home page, and its Lighthouse scores.',
      facts: [`Lighthouse ${lighthouse} with the Chromium of the system`],
    }),
    '### Lighthouse',
    `The home page of a live devnet, without a proxy or TLS; every run in a new browser with an empty cache. _mobile_ is Lighthouse's own setting:
a slow phone on a slow network, both simulated from a fast visit. So other work on the machine affects mostly the blocking time (TBT).
A visit that the browser failed to record was repeated.`,
    toTable(
      ['Median', 'Runs', ...figureNames],
      (['desktop', 'mobile'] as const).map((device) => {
        const ofDevice = runs.filter((run) => run.device === device)
        return [device, String(ofDevice.length), ...toMedians(ofDevice)]
      }),
    ),
    'Every run:',
    toTable(
      ['Device', ...figureNames],
      byDevice(runs).map((run) => [run.device, ...toMedians([run])]),
    ),
    complaints.length > 0
      ? `Below 100 for:\n\n${complaints.map((line) => `- ${line}`).join('\n')}`
      : 'No issues in accessibility, best practices and SEO.',
    '### Slow network',
    `The home page on a phone's screen with ${slowNetwork.latencyMs} ms to each answer and ${slowNetwork.kilobitsPerSecond} kbit/s in all, in an empty profile, the processor not throttled. _Readable_: the
first frame with ten rows of tokens and their prices; the goal is 2500. _Taken over_: scripts do what is pressed. In milliseconds.`,
    toTable(
      ['', 'Visits', 'p50', 'max'],
      [toSlowRow('readable', slow, ({ readableMs }) => readableMs), toSlowRow('taken over', slow, ({ takenMs }) => takenMs)],
    ),
    '### Bytes',
    `Brotli at its best compression. _First_ files load before the page is usable, _later_ files when something needs them. \`npm run check\` fails
above the budget.`,
    toTable(
      ['First load', 'Bytes', 'Budget'],
      (['js', 'css'] as const).map((kind) => [kind, toCount(firstLoadBytes(files, kind)), toCount(firstLoadBudget[kind])]),
    ),
    toTable(
      ['File', 'When', 'Bytes'],
      files.map(({ file, when, brotliBytes }) => [`\`${withoutHash(file)}\``, when, toCount(brotliBytes)]),
      2,
    ),
  ].join('\n\n')
}

function toSlowRow(name: string, slow: readonly SlowVisit[], of: (visit: SlowVisit) => number): string[] {
  return [name, String(slow.length), median(slow.map(of)).toFixed(0), Math.max(...slow.map(of)).toFixed(0)]
}

/** One run in a line. */
export function toRunLine(run: PageRun): string {
  const figures = toMedians([run]).map((figure, place) => `${figureNames[place]} ${figure}`)
  return `${run.device}: ${[...figures, ...run.complaints].join(', ')}`
}

const figureNames = ['Performance', 'Accessibility', 'Best practices', 'SEO', 'FCP ms', 'LCP ms', 'CLS', 'TBT ms']

/** One figure for each name, over all of the runs. */
function toMedians(runs: readonly PageRun[]): string[] {
  const middle = (of: (run: PageRun) => number) => median(runs.map(of))
  return [
    ...categories.map((category) => middle(({ scores }) => scores[category]).toFixed(0)),
    middle(({ firstPaintMs }) => firstPaintMs).toFixed(0),
    middle(({ largestPaintMs }) => largestPaintMs).toFixed(0),
    middle(({ layoutShift }) => layoutShift).toFixed(3),
    middle(({ blockedMs }) => blockedMs).toFixed(0),
  ]
}

function byDevice(runs: readonly PageRun[]): PageRun[] {
  const order: readonly Device[] = ['desktop', 'mobile']
  return runs.toSorted((a, b) => order.indexOf(a.device) - order.indexOf(b.device))
}

/** `assets/index-BtxquxT6.js` -> `index.js`: the hash changes with every word of the source. */
function withoutHash(file: string): string {
  return file.replace(/^assets\//, '').replace(/-[\w-]{6,8}(\.\w+)$/, '$1')
}

function toCount(bytes: number): string {
  return bytes.toLocaleString('en')
}

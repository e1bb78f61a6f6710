import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { makeFolder, removeFolder, runToEnd } from '../children.ts'
import { type Measuring, measureSection, outOption } from '../measureSection.ts'
import { parseCount } from '../parseCount.ts'
import { toHead } from '../sectionHead.ts'
import { startServer } from '../startServer.ts'
import { percentile } from '../statistics.ts'
import { toTable } from '../table.ts'
import { withDevnet } from '../withDevnet.ts'
import { measureActs, throttleRate } from './measureActs.ts'
import { measureSwaps } from './measureSwaps.ts'

export const usage = `npm run bench -- acts [--rounds n] [--seconds n] [--out file]
  --rounds   times that each act is done (default 5)
  --seconds  that a token's page is watched for swaps (default 180)
  --out      the document with the section "Acts" (default docs/benchmarks.md)`

const root = resolve(import.meta.dirname, '../..')
const buildMsMax = 120_000
const [roundsMax, secondsMax] = [50, 3_600]

/** Measures what a visitor waits for on the home page and on a token's page, and how soon a swap is on the screen. */
export async function run(args: string[], signal: AbortSignal): Promise<void> {
  const { values } = parseArgs({
    args,
    options: { rounds: { type: 'string', default: '5' }, seconds: { type: 'string', default: '180' }, out: outOption },
  })
  const rounds = parseCount({ option: 'rounds', text: values.rounds, max: roundsMax })
  const seconds = parseCount({ option: 'seconds', text: values.seconds, max: secondsMax })
  await measureSection({ name: 'acts', args, out: values.out }, async (measuring) => {
    await runToEnd({ command: 'npm', args: ['run', 'build'], cwd: root }, { msMax: buildMsMax, signal })
    const folder = makeFolder('acts')
    const measured = await withDevnet({ dataDir: folder, live: true, signal }, async ({ rpcUrl }) => {
      const { server, url } = await startServer({ RPC_URL: rpcUrl, DATA_DIR: folder }, { until: 'full', signal })
      const swaps = await measureSwaps({ rpcUrl, url, symbol: 'wemb', seconds }, signal)
      const acts = await measureActs(url, rounds, signal)
      await server.stop()
      return { swaps, acts }
    })
    removeFolder(folder)
    return toSection({ ...measuring, ...measured })
  })
}

type Section = Measuring & {
  readonly swaps: Awaited<ReturnType<typeof measureSwaps>>
  readonly acts: Awaited<ReturnType<typeof measureActs>>
}

function toSection({ swaps, acts, ...measuring }: Section): string {
  const all = acts.flatMap(({ times }) => times)
  return [
    ...toHead({
      ...measuring,
      title: 'Acts',
      about: 'What a visitor waits for on the home page and on the page of a token, and how soon a swap is on the screen.',
    }),
    `Chromium on the same machine, 1440 x 1000. Milliseconds from a block in the node to the frame in which a token's page shows the price that it
left, the browser not throttled; the goal is 500 at the 95th percentile. ${swaps.missed} prices were not seen: another one had followed.`,
    toTable(
      ['', 'Times', 'p50', 'p95', 'max'],
      [['a swap on the screen', String(swaps.times.length), ...[50, 95, 100].map((each) => show(swaps.times, each))]],
    ),
    `The processor throttled ${throttleRate} times. Milliseconds from an input to the next frame (Event Timing, in steps of 8); 0 is under 16. The goal is 200 for
every act; the 98th percentile of all is ${show(all, 98)}.`,
    toTable(
      ['Act', 'Page', 'Times', 'p50', 'max'],
      acts.map(({ page, act, times }) => [act, page, String(times.length), show(times, 50), show(times, 100)]),
      2,
    ),
  ].join('\n\n')
}

const show = (times: readonly number[], percent: number) => percentile(times, percent).toFixed(0)

import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { buildPage, listPageFiles } from '../../tools/builtPage.ts'
import { findFreePort } from '../../tools/freePort.ts'
import { makeFolder } from '../children.ts'
import { measureSection, outOption } from '../measureSection.ts'
import { parseCount } from '../parseCount.ts'
import { startServer } from '../startServer.ts'
import { withDevnet } from '../withDevnet.ts'
import { type Device, installLighthouse, type PageRun, runLighthouse } from './lighthouse.ts'
import { toRunLine, toSection } from './report.ts'
import { measureSlowVisits, type SlowVisit } from './slowNetwork.ts'

export const usage = `npm run bench -- page [--runs n] [--out file]
  --runs  of Lighthouse for each device, and visits on a slow network (default 3)
  --out   the document with the section "Page" (default docs/benchmarks.md)`

const webDir = resolve(import.meta.dirname, '../../web/dist')
const runsMax = 100
const devices: readonly Device[] = ['desktop', 'mobile']

/** Measures the home page. @throws NotMeasured when Lighthouse cannot be installed or run */
export async function run(args: string[], signal: AbortSignal): Promise<void> {
  const { values } = parseArgs({ args, options: { runs: { type: 'string', default: '3' }, out: outOption } })
  const count = parseCount({ option: 'runs', text: values.runs, max: runsMax })
  await measureSection({ name: 'page', args, out: values.out }, async (measuring) => {
    const lighthouse = await installLighthouse(signal)
    buildPage(webDir)
    const measured = await withDevnet({ live: true, signal }, ({ rpcUrl }) => measurePage(rpcUrl, count, signal))
    return toSection({ ...measuring, lighthouse, ...measured, files: listPageFiles(webDir) })
  })
}

type Measured = { readonly runs: readonly PageRun[]; readonly slow: readonly SlowVisit[] }

async function measurePage(rpcUrl: string, count: number, signal: AbortSignal): Promise<Measured> {
  // A port known in advance: the page names its own address.
  const env = { RPC_URL: rpcUrl, DATA_DIR: makeFolder('page'), PORT: String(await findFreePort()) }
  const { server, url } = await startServer(env, { until: 'full', signal })
  const runs: PageRun[] = []
  for (let round = 0; round < count; round += 1)
    for (const device of devices) {
      const done = await runLighthouse(url, device, signal)
      console.log(toRunLine(done))
      runs.push(done)
    }
  const slow = await measureSlowVisits(url, count, signal)
  for (const { readableMs, takenMs } of slow)
    console.log(`slow network: readable ${readableMs.toFixed(0)} ms, taken over ${takenMs.toFixed(0)} ms`)
  await server.stop()
  return { runs, slow }
}

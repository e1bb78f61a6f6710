import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { startDevnet } from '@chainboard/devnet'
import { buildPage, listPageFiles } from '../../tools/builtPage.ts'
import { findFreePort } from '../../tools/freePort.ts'
import { forkServer } from '../../tools/serverProcess.ts'
import { adopt, type Child, makeFolder } from '../children.ts'
import { writeSection } from '../docsSection.ts'
import { serverEnv } from '../inheritedEnv.ts'
import { describeMachine } from '../machine.ts'
import { parseCount } from '../parseCount.ts'
import { within } from '../waiting.ts'
import { type Device, installLighthouse, type PageRun, runLighthouse } from './lighthouse.ts'
import { toRunLine, toSection } from './report.ts'

export const usage = `npm run bench -- page [--runs n] [--out file]
  --runs  of Lighthouse for each device (default 3)
  --out   the document whose section "Page" is written (default docs/benchmarks.md)`

const root = resolve(import.meta.dirname, '../..')
const runsMax = 100
const startMsMax = 120_000
const devices: readonly Device[] = ['desktop', 'mobile']

/** Measures, prints, and writes the section. @throws Error when Lighthouse cannot be installed or run */
export async function run(args: string[], signal: AbortSignal): Promise<void> {
  const { runs: count, out } = parseOptions(args)
  const machine = describeMachine()
  if (machine.busy) console.warn('Other work is running on this machine: the times will be worth little.')
  const lighthouse = await installLighthouse(signal)
  const webDir = resolve(root, 'web/dist')
  buildPage(webDir)
  const devnet = await startDevnet({ live: true, signal, onProgress: (text) => console.log(`devnet: ${text}`) })
  try {
    const { server, url } = await startProduct(devnet.rpcUrl, signal)
    const runs: PageRun[] = []
    for (let round = 0; round < count; round += 1)
      for (const device of devices) {
        const done = await runLighthouse(url, device, signal)
        console.log(toRunLine(done))
        runs.push(done)
      }
    await server.stop()
    const command = `npm run bench -- page${args.map((arg) => ` ${arg}`).join('')}`
    const section = toSection({ command, machine, lighthouse, runs, files: listPageFiles(webDir) })
    console.log(`\n${section}`)
    writeSection(out, 'page', section)
    console.log(`Written to ${out}`)
  } finally {
    await devnet.stop()
  }
}

function parseOptions(args: string[]) {
  const { values } = parseArgs({
    args,
    options: {
      runs: { type: 'string', default: '3' },
      out: { type: 'string', default: resolve(root, 'docs/benchmarks.md') },
    },
  })
  return { runs: parseCount({ option: 'runs', text: values.runs, max: runsMax, usage }), out: values.out }
}

/** The server as `npm start` runs it, on an empty store, when it has caught up with the chain. */
async function startProduct(rpcUrl: string, signal: AbortSignal): Promise<{ server: Child; url: string }> {
  const settings = { NETWORK: 'devnet', RPC_URL: rpcUrl, DATA_DIR: makeFolder('page'), HOST: '127.0.0.1', LOG_LEVEL: 'warn' }
  // A port known beforehand, so that the page tells its true address.
  const server = adopt('the server', forkServer(serverEnv({ ...settings, PORT: String(await findFreePort()) })))
  const full = new Promise<string>((done) =>
    server.process.on('message', (message: { full?: string }) => message.full && done(message.full)),
  )
  return { server, url: await within(full, { what: 'the server', msMax: startMsMax, signal, gone: server.gone }) }
}

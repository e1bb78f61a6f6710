import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { startDevnet } from '@chainboard/devnet'
import { forkServer } from '../../tools/serverProcess.ts'
import { adopt, makeFolder, removeFolder, runToEnd } from '../children.ts'
import { writeSection } from '../docsSection.ts'
import { serverEnv } from '../inheritedEnv.ts'
import { describeMachine } from '../machine.ts'
import { parseCount } from '../parseCount.ts'
import { within } from '../waiting.ts'
import { measureBrowser } from './measureBrowser.ts'
import { measureServer, readMemory } from './measureServer.ts'
import { measureSnapshot } from './measureSnapshot.ts'
import { pickSearches } from './pickSearches.ts'
import { type BoardTimes, toSection } from './report.ts'
import { writeNetworks } from './writeNetworks.ts'

export const usage = `npm run bench -- board [--tokens n] [--searches n] [--out file]
  --tokens    of the long list (default 20000)
  --searches  typed in each list (default 30)
  --out       the document whose section "Board" is written (default docs/benchmarks.md)`

const root = resolve(import.meta.dirname, '../..')
const shortList = 20
const tokensMax = 50_000
const searchesMax = 200
/** Sorts and pages measured in each list. */
const steps = 10
const buildMsMax = 120_000
const startMsMax = 120_000

/** Measures a short list and a long one, prints, and writes the section. */
export async function run(args: string[], signal: AbortSignal): Promise<void> {
  const { tokens, searches, out } = parseOptions(args)
  const machine = describeMachine()
  if (machine.busy) console.warn('Other work is running on this machine: the numbers will be worth little.')
  await runToEnd({ command: 'npm', args: ['run', 'build'], cwd: root }, { msMax: buildMsMax, signal })
  const folder = makeFolder('board')
  const devnet = await startDevnet({ dataDir: folder, live: true, signal, onProgress: (text) => console.log(`devnet: ${text}`) })
  try {
    const boards: BoardTimes[] = []
    for (const count of [shortList, tokens]) {
      console.log(`A list of ${count} tokens`)
      boards.push(await measureBoard({ count, searches, folder: join(folder, String(count)), rpcUrl: devnet.rpcUrl, signal }))
    }
    const command = `npm run bench -- board${args.map((arg) => ` ${arg}`).join('')}`
    const section = toSection({ command, machine, boards })
    console.log(`\n${section}`)
    writeSection(out, 'board', section)
    console.log(`Written to ${out}`)
  } finally {
    await devnet.stop()
    removeFolder(folder)
  }
}

function parseOptions(args: string[]) {
  const { values } = parseArgs({
    args,
    options: {
      tokens: { type: 'string', default: '20000' },
      searches: { type: 'string', default: '30' },
      out: { type: 'string', default: join(root, 'docs/benchmarks.md') },
    },
  })
  return {
    tokens: parseCount({ option: 'tokens', text: values.tokens, min: shortList, max: tokensMax, usage }),
    searches: parseCount({ option: 'searches', text: values.searches, max: searchesMax, usage }),
    out: values.out,
  }
}

type Room = {
  readonly count: number
  readonly searches: number
  readonly folder: string
  readonly rpcUrl: string
  readonly signal: AbortSignal
}

/** The whole product with one list: server and browser, then the snapshot alone. */
async function measureBoard({ count, searches, folder, rpcUrl, signal }: Room): Promise<BoardTimes> {
  const networksDir = join(folder, 'networks')
  const tokens = writeNetworks(networksDir, count)
  const picked = pickSearches(tokens, searches)
  const settings = { NETWORK: 'devnet', RPC_URL: rpcUrl, DATA_DIR: folder, HOST: '127.0.0.1', PORT: '0', LOG_LEVEL: 'warn' }
  const server = adopt('the server', forkServer(serverEnv({ ...settings, NETWORKS_DIR: networksDir })))
  const full = new Promise<string>((done) =>
    server.process.on('message', (message: { full?: string }) => message.full && done(message.full)),
  )
  try {
    const url = await within(full, { what: 'the server', msMax: startMsMax, signal, gone: server.gone })
    const browser = await measureBrowser(url, { tokens, searches: picked, steps, signal })
    const questions = await measureServer(
      url,
      count,
      picked.map(({ text }) => text),
    )
    const memory = readMemory(server.pid)
    await server.stop()
    return { tokens: count, browser, server: questions, memory, snapshot: await measureSnapshot(settings, networksDir) }
  } finally {
    await server.stop()
  }
}

import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { makeFolder, removeFolder, runToEnd } from '../children.ts'
import { measureSection, outOption } from '../measureSection.ts'
import { parseCount } from '../parseCount.ts'
import { readMemory } from '../readMemory.ts'
import { startServer } from '../startServer.ts'
import { withDevnet } from '../withDevnet.ts'
import { measureBrowser } from './measureBrowser.ts'
import { measureServer } from './measureServer.ts'
import { measureSnapshot } from './measureSnapshot.ts'
import { pickSearches } from './pickSearches.ts'
import { type BoardTimes, toSection } from './report.ts'
import { writeNetworks } from './writeNetworks.ts'

export const usage = `npm run bench -- board [--tokens n] [--searches n] [--out file]
  --tokens    in the long list (default 20000)
  --searches  in each list (default 30)
  --out       the document with the section "Board" (default docs/benchmarks.md)`

const root = resolve(import.meta.dirname, '../..')
const shortList = 20
const tokensMax = 50_000
const searchesMax = 200
/** Sorts and pages measured in each list. */
const steps = 10
const buildMsMax = 120_000

/** Measures a short list and a long one. */
export async function run(args: string[], signal: AbortSignal): Promise<void> {
  const { tokens, searches, out } = parseOptions(args)
  await measureSection({ name: 'board', args, out }, async (measuring) => {
    await runToEnd({ command: 'npm', args: ['run', 'build'], cwd: root }, { msMax: buildMsMax, signal })
    const folder = makeFolder('board')
    const boards = await withDevnet({ dataDir: folder, live: true, signal }, async ({ rpcUrl }) => {
      const measured: BoardTimes[] = []
      for (const count of [shortList, tokens]) {
        console.log(`A list of ${count} tokens`)
        measured.push(await measureBoard({ count, searches, folder: join(folder, String(count)), rpcUrl, signal }))
      }
      return measured
    })
    removeFolder(folder)
    return toSection({ ...measuring, boards })
  })
}

function parseOptions(args: string[]) {
  const { values } = parseArgs({
    args,
    options: { tokens: { type: 'string', default: '20000' }, searches: { type: 'string', default: '30' }, out: outOption },
  })
  return {
    tokens: parseCount({ option: 'tokens', text: values.tokens, min: shortList, max: tokensMax }),
    searches: parseCount({ option: 'searches', text: values.searches, max: searchesMax }),
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
  const env = { RPC_URL: rpcUrl, DATA_DIR: folder }
  const { server, url } = await startServer({ ...env, NETWORKS_DIR: networksDir }, { until: 'full', signal })
  const browser = await measureBrowser(url, { tokens, searches: picked, steps, signal })
  const texts = picked.map(({ text }) => text)
  const questions = await measureServer(url, count, texts)
  const memory = readMemory(server.pid)
  await server.stop()
  const snapshot = await measureSnapshot({ NETWORK: 'devnet', LOG_LEVEL: 'warn', ...env }, networksDir)
  return { tokens: count, browser, server: questions, memory, snapshot }
}

import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { Type } from 'typebox'
import { buildPage } from '../../tools/builtPage.ts'
import { startProduct } from '../api/product.ts'
import { writeNetworks } from '../board/writeNetworks.ts'
import { fetchJson } from '../checkShape.ts'
import { makeFolder, removeFolder } from '../children.ts'
import { measureSection, outOption } from '../measureSection.ts'
import { NotMeasured } from '../notMeasured.ts'
import { parseCount } from '../parseCount.ts'
import { median } from '../statistics.ts'
import { withDevnet } from '../withDevnet.ts'
import { measurePrices } from './measurePrices.ts'
import { measureThread, type PageKind } from './measureThread.ts'
import { toSection } from './report.ts'

export const usage = `npm run bench -- rendering [--tokens n] [--times n] [--rounds n] [--out file]
  --tokens  in the list (default 500)
  --times   that each page is drawn (default 40)
  --rounds  of prices, each 5 s alone, 5 s beside a thread that only computes, 5 s beside pages (default 6)
  --out     the document with the section "Rendering" (default docs/benchmarks.md)`

const webDir = resolve(import.meta.dirname, '../../web/dist')
const roundMs = 5_000
/** As visitors search (loadPages.ts): for what no token is called. */
const unmatchedPath = '/?q=zzzzzzzz'
const [tokensMax, timesMax, roundsMax] = [20_000, 1_000, 100]

/** Measures what rendering costs. @throws NotMeasured for a page that is not drawn, or a price that is refused */
export async function run(args: string[], signal: AbortSignal): Promise<void> {
  const { values } = parseArgs({
    args,
    options: {
      tokens: { type: 'string', default: '500' },
      times: { type: 'string', default: '40' },
      rounds: { type: 'string', default: '6' },
      out: outOption,
    },
  })
  const tokens = parseCount({ option: 'tokens', text: values.tokens, min: 20, max: tokensMax })
  const times = parseCount({ option: 'times', text: values.times, max: timesMax })
  const rounds = parseCount({ option: 'rounds', text: values.rounds, max: roundsMax })
  await measureSection({ name: 'rendering', args, out: values.out }, async (measuring) => {
    buildPage(webDir)
    const folder = makeFolder('rendering')
    const networksDir = join(folder, 'networks')
    const addresses = writeNetworks(networksDir, tokens).map(({ address }) => address.toLowerCase())
    const measured = await withDevnet({ dataDir: folder, live: true, signal }, async ({ rpcUrl }) => {
      const { server, url, makeKeys } = await startProduct(rpcUrl, { NETWORKS_DIR: networksDir }, signal)
      const threads = await measureThread(url, await listKinds(url), times)
      const [key = ''] = await makeKeys(1)
      const searchTimes = threads.find(({ path }) => path === unmatchedPath)?.times ?? []
      const prices = await measurePrices({ url, key, addresses, rounds, roundMs, drawMs: median(searchTimes) })
      await server.stop()
      return { threads, prices }
    })
    removeFolder(folder)
    return toSection({ ...measuring, tokens, ...measured })
  })
}

const addressed = Type.Object({ address: Type.String() })
const trades = Type.Object({ swaps: Type.Array(Type.Object({ pool: addressed, sold: addressed, recipient: Type.String() })) })

/** One page of each kind that the server draws. */
async function listKinds(url: string): Promise<readonly PageKind[]> {
  const { swaps } = await fetchJson(trades, `${url}/api/swaps`)
  const [swap] = swaps
  if (!swap) throw new NotMeasured('The chain has no swaps yet')
  const [pool, token] = [swap.pool.address, swap.sold.address]
  return [
    { name: 'home', path: '/' },
    { name: 'a search', path: '/?q=a' },
    { name: 'a search without a match', path: unmatchedPath },
    { name: 'token', path: `/token/${token}` },
    { name: 'receipt', path: `/token/${token}/receipt` },
    { name: 'pool', path: `/pool/${pool}` },
    { name: 'pools', path: '/pools' },
    { name: 'swaps', path: '/swaps' },
    { name: 'wallet', path: `/wallet/${swap.recipient}` },
  ]
}

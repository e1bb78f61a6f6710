import { parseArgs } from 'node:util'
import { findFreePort } from '../../tools/freePort.ts'
import { WrongOption } from '../../tools/wrongOption.ts'
import { startProduct } from '../api/product.ts'
import { measureSection, outOption } from '../measureSection.ts'
import { parseCount } from '../parseCount.ts'
import { pinTo } from '../processorShare.ts'
import { withDevnet } from '../withDevnet.ts'
import { type Kind, measureKind, measurePeak, type Result, startClients, type Target } from './measure.ts'
import { toSection } from './report.ts'

const kindNames = ['price', 'charts', 'swaps', 'search', 'page', 'list', 'subgraph'] as const
type KindName = (typeof kindNames)[number]

export const usage = `npm run bench -- overload [--seconds n] [--rounds n] [--only kinds] [--pin] [--out file]
  --seconds  of load in each phase (default 1)
  --rounds   of each kind: prices during the flood, between phases of prices alone (default 25)
  --only     kinds of request to flood with, separated by commas, of ${kindNames.join(', ')}; the document is not written then
  --pin      gives the server the first processor for itself, and all clients the second
  --out      the document with the section "Overload" (default docs/benchmarks.md)`

/** A key has ten million requests a day at most, which a fast machine uses up in minutes. */
const keyCount = 8

/** Floods the server with each kind of request. @throws NotMeasured when a kind is not answered */
export async function run(args: string[], signal: AbortSignal): Promise<void> {
  const { values } = parseArgs({
    args,
    options: {
      seconds: { type: 'string', default: '1' },
      rounds: { type: 'string', default: '25' },
      only: { type: 'string' },
      pin: { type: 'boolean', default: false },
      out: outOption,
    },
  })
  const ms = parseCount({ option: 'seconds', text: values.seconds, max: 600 }) * 1_000
  const rounds = parseCount({ option: 'rounds', text: values.rounds, max: 100 })
  const { only, pin, out } = values
  const wanted = only === undefined ? kindNames : parseKinds(only)
  await measureSection({ name: 'overload', args, out: only === undefined ? out : undefined }, async (measuring) => {
    const results = await flood(wanted, { ms, rounds, pin, signal })
    return toSection({ ...measuring, results })
  })
}

function parseKinds(text: string): KindName[] {
  return text.split(',').map((each) => {
    const name = kindNames.find((known) => known === each)
    if (!name) throw new WrongOption(`--only: found ${each}, expected some of ${kindNames.join(', ')}`)
    return name
  })
}

type Plan = { readonly ms: number; readonly rounds: number; readonly pin: boolean; readonly signal: AbortSignal }

function flood(wanted: readonly KindName[], { ms, rounds, pin, signal }: Plan): Promise<Result[]> {
  return withDevnet({ history: 'full', live: false, signal }, async (devnet) => {
    const metricsPort = await findFreePort()
    const product = await startProduct(devnet.rpcUrl, { METRICS_PORT: String(metricsPort) }, signal)
    const { url, server } = product
    if (pin) pinTo(server.pid, 0)
    const clients = startClients(pin ? 1 : undefined)
    const target: Target = { url, probesUrl: `http://127.0.0.1:${metricsPort}`, pid: server.pid, clients, signal }
    const tokens = devnet.tokens.map(({ address }) => address.toLowerCase())
    const requests = listRequests(tokens, await product.makeKeys(keyCount))
    const price: Kind = { name: 'price', requests: requests.price }
    await measurePeak(price, ms, target)
    const results: Result[] = []
    for (const name of wanted) {
      const result = await measureKind({ name, requests: requests[name] }, price, rounds, ms, target)
      results.push(result)
      const [share, byClock] = [result.priceShare, result.clockShare].map((each) => each.toFixed(2))
      console.log(`${name}: probe p99 ${result.probeP99Ms.toFixed(1)} ms, price kept ${share}, by the clock ${byClock}`)
    }
    await Promise.all([server, ...Object.values(clients)].map((child) => child.stop()))
    return results
  })
}

function listRequests(tokens: readonly string[], keys: readonly string[]): Readonly<Record<KindName, readonly string[]>> {
  const get = (path: string, more = '') => `GET ${path} HTTP/1.1\r\nHost: localhost\r\n${more}\r\n`
  const query = JSON.stringify({ query: '{ pools(first: 20) { id token0 { symbol } token1 { symbol } totalValueLockedUSD } }' })
  const ofTokens = (toPath: (token: string) => string) => tokens.map((token) => get(toPath(token)))
  return {
    price: keys.flatMap((key) => tokens.map((token) => get(`/api/v1/prices/${token}`, `X-API-Key: ${key}\r\n`))),
    charts: ['1d', '3d', '1w', '1m'].flatMap((range) => ofTokens((token) => `/api/tokens/${token}/chart?range=${range}`)),
    swaps: ofTokens((token) => `/api/tokens/${token}/swaps?limit=100`),
    search: ['a', 'e', 'o', 'u'].map((text) => get(`/assets.json?page=1&pageSize=50&search=${text}`)),
    page: [get('/')],
    list: [get('/assets.json')],
    subgraph: [
      `POST /subgraph HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: ${query.length}\r\n\r\n${query}`,
    ],
  }
}

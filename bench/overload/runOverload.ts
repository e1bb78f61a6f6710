import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { startDevnet } from '@chainboard/devnet'
import { findFreePort } from '../../tools/freePort.ts'
import { startProduct } from '../api/product.ts'
import { writeSection } from '../docsSection.ts'
import { describeMachine, type Machine } from '../machine.ts'
import { parseCount } from '../parseCount.ts'
import { pinTo } from '../processorShare.ts'
import { toTable } from '../table.ts'
import { type Kind, measureKind, measurePeak, type Result, startClients, type Target } from './measure.ts'

export const usage = `npm run bench -- overload [--seconds n] [--rounds n] [--only kinds] [--pin] [--out file]
  --seconds  of load in each phase (default 1)
  --rounds   of each kind: prices beside the flood, between prices alone (default 25)
  --only     kinds of request to flood with, separated by commas; nothing is written then
  --pin      the server has the first processor for itself, all clients have the second, in every phase
  --out      the document whose section "Overload" is written (default docs/benchmarks.md)`

const root = resolve(import.meta.dirname, '../..')
/** A key has ten million requests a day at most, which a quick machine uses up in some minutes. */
const keyCount = 8

/** Measures, prints, and writes the section. */
export async function run(args: string[], signal: AbortSignal): Promise<void> {
  const { values } = parseArgs({
    args,
    options: {
      seconds: { type: 'string', default: '1' },
      rounds: { type: 'string', default: '25' },
      only: { type: 'string' },
      pin: { type: 'boolean', default: false },
      out: { type: 'string', default: join(root, 'docs/benchmarks.md') },
    },
  })
  const ms = parseCount({ option: 'seconds', text: values.seconds, min: 1, max: 600, usage }) * 1_000
  const rounds = parseCount({ option: 'rounds', text: values.rounds, min: 1, max: 100, usage })
  const machine = describeMachine()
  if (machine.busy) console.warn('Other work is running on this machine: the numbers will be worth little.')
  const devnet = await startDevnet({ history: 'full', live: false, signal, onProgress: (text) => console.log(`devnet: ${text}`) })
  try {
    const metricsPort = await findFreePort()
    const product = await startProduct(devnet.rpcUrl, { signal, METRICS_PORT: String(metricsPort) })
    const { url, server } = product
    if (values.pin) pinTo(server.pid, 0)
    const probesUrl = `http://127.0.0.1:${metricsPort}`
    const clients = startClients(values.pin ? 1 : undefined)
    const target: Target = { url, probesUrl, pid: server.pid, clients, signal }
    const keys = await product.makeKeys(keyCount)
    const tokens = devnet.tokens.map(({ address }) => address.toLowerCase())
    const kinds = listKinds(tokens, keys)
    const price = kinds[0] as Kind
    const only = values.only?.split(',')
    await measurePeak(price, ms, target)
    const results: Result[] = []
    for (const kind of only ? kinds.filter(({ name }) => only.includes(name)) : kinds) {
      const result = await measureKind(kind, price, rounds, ms, target)
      results.push(result)
      console.log(
        `${kind.name}: probe p99 ${result.probeP99Ms.toFixed(1)} ms, price kept ${result.priceShare.toFixed(2)}, by the clock ${result.clockShare.toFixed(2)}`,
      )
    }
    await Promise.all([server, ...Object.values(clients)].map((child) => child.stop()))
    const section = toSection(`npm run bench -- overload${args.map((arg) => ` ${arg}`).join('')}`, machine, results)
    console.log(`\n${section}`)
    if (!only) writeSection(values.out, 'overload', section)
  } finally {
    await devnet.stop()
  }
}

function listKinds(tokens: readonly string[], keys: readonly string[]): Kind[] {
  const get = (path: string, more = '') => `GET ${path} HTTP/1.1\r\nHost: bench.example\r\n${more}\r\n`
  const query = JSON.stringify({ query: '{ pools(first: 20) { id token0 { symbol } token1 { symbol } totalValueLockedUSD } }' })
  const ofTokens = (toPath: (token: string) => string) => tokens.map((token) => get(toPath(token)))
  return [
    {
      name: 'price',
      requests: keys.flatMap((key) => tokens.map((token) => get(`/api/v1/prices/${token}`, `X-API-Key: ${key}\r\n`))),
    },
    {
      name: 'charts',
      requests: ['1d', '3d', '1w', '1m'].flatMap((range) => ofTokens((token) => `/api/tokens/${token}/chart?range=${range}`)),
    },
    { name: 'swaps', requests: ofTokens((token) => `/api/tokens/${token}/swaps?limit=100`) },
    { name: 'search', requests: ['a', 'e', 'o', 'u'].map((text) => get(`/assets.json?page=1&pageSize=50&search=${text}`)) },
    { name: 'page', requests: [get('/')] },
    { name: 'list', requests: [get('/assets.json')] },
    {
      name: 'subgraph',
      requests: [
        `POST /subgraph HTTP/1.1\r\nHost: bench.example\r\nContent-Type: application/json\r\nContent-Length: ${query.length}\r\n\r\n${query}`,
      ],
    },
  ]
}

function toSection(command: string, machine: Machine, results: readonly Result[]): string {
  return [
    '## Overload',
    `Five times the connections of the capacity, for each kind of request, beside 64 connections that ask for prices. Aims: \`/healthz\` of
\`METRICS_PORT\` within 50 ms, prices at least 0.80 of what they are without it, memory at most 1.5 times, calm again within 5 s.`,
    `\`\`\`sh\n${command}\n\`\`\``,
    machine.words.map((line) => `- ${line}`).join('\n'),
    ...(machine.busy ? ['**The machine was not quiet: these numbers hold for a loaded one.**'] : []),
    `_Capacity_: answers a second on 64 connections. _Answered_, _refused_ (503, 429): a second on 320. Where 320 connections ask for prices, _price kept_ is
theirs. Each kind is played in rounds, prices alone before and after those beside the flood: shares are of the mean of both and the median of the rounds, limits the worst. _Price kept_ is counted for a second of the server's processor, _by the clock_ for a second of time. _Memory_: the most under the flood, of the most at the capacity. _Calm after_: until five answers in a row came within 100 ms.`,
    toTable(
      [
        '',
        'Capacity',
        'Answered',
        'Refused',
        'Probe p99 ms',
        'Probes failed',
        'Price kept',
        'By the clock',
        'Memory, times',
        'Calm after s',
      ],
      results.map((each) => [
        each.kind,
        ...[each.capacity, each.answered, each.shed].map((value) => String(Math.round(value))),
        each.probeP99Ms.toFixed(1),
        String(each.probesFailed),
        each.priceShare.toFixed(2),
        each.clockShare.toFixed(2),
        each.memoryTimes.toFixed(2),
        each.recoverySeconds.toFixed(1),
      ]),
    ),
  ].join('\n\n')
}

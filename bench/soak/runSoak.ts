import { fork } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { startDevnet } from '@chainboard/devnet'
import { type Product, startProduct } from '../api/product.ts'
import { adopt, type Child } from '../children.ts'
import { writeSection } from '../docsSection.ts'
import { describeMachine } from '../machine.ts'
import { parseCount } from '../parseCount.ts'
import type { Reading } from '../stream/streamReaders.ts'
import { within } from '../waiting.ts'
import type { Pace, Paced } from './pacedClient.ts'
import { type Sample, summarise, toSection } from './report.ts'

export const usage = `npm run bench -- soak [--minutes n] [--share percent] [--out file]
  --minutes  of load (default 120): the second half is compared with the first
  --share    of what the server answers at most, in percent (default 50)
  --out      the document whose section "Soak" is written (default docs/benchmarks.md)`

const root = resolve(import.meta.dirname, '../..')
const settleMs = 20_000
const peakMs = 10_000
const sampleMs = 10_000
const reportMsMax = 10_000
const readers = 20
const breakEveryMs = 60_000

/** Measures, prints, and writes the section. @throws Error when an answer failed */
export async function run(args: string[], signal: AbortSignal): Promise<void> {
  const { minutes, share, out } = parseOptions(args)
  const machine = describeMachine()
  const devnet = await startDevnet({ live: true, signal, onProgress: (text) => console.log(`devnet: ${text}`) })
  try {
    const product = await startProduct(devnet.rpcUrl, { signal })
    const [key = ''] = await product.makeKeys(1)
    const addresses = devnet.tokens.map(({ address }) => address.toLowerCase())
    const pace: Pace = { url: product.url, paths: listPaths(addresses), key }
    await sleep(settleMs, undefined, { signal })
    const peak = await drive(pace, peakMs, signal)
    const perSecond = Math.max(1, Math.floor((countOk(peak) / peak.ms) * 1_000 * (share / 100)))
    console.log(`${(countOk(peak) / peak.ms) * 1_000} answers a second at most; ${perSecond} from now on`)
    const streams = openStreams({ url: product.url, keys: [key], readers, choosing: 5, addresses, breakEveryMs })
    const samples: Sample[] = []
    const sampling = setInterval(() => samples.push(look(product)), sampleMs)
    const startMs = performance.now()
    const talking = setInterval(() => console.log(toProgress(samples.at(-1), startMs)), 60_000)
    const asked = await drive({ ...pace, perSecond }, minutes * 60_000, signal)
    for (const timer of [sampling, talking]) clearInterval(timer)
    await streams.stop()
    await product.server.stop()
    const section = toSection({ command: toCommand(args), machine, minutes, perSecond, asked, summary: summarise(samples) })
    console.log(`\n${section}`)
    writeSection(out, 'soak', section)
  } finally {
    await devnet.stop()
  }
}

const toCommand = (args: readonly string[]) => `npm run bench -- soak${args.map((arg) => ` ${arg}`).join('')}`
const countOk = ({ statuses }: Paced) => statuses['200'] ?? 0
const toProgress = (sample: Sample | undefined, startMs: number) =>
  `${((performance.now() - startMs) / 60_000).toFixed(0)} min: ${sample?.rssMb.toFixed(1)} MB, ${sample?.descriptors} descriptors`

function parseOptions(args: string[]) {
  const { values } = parseArgs({
    args,
    options: {
      minutes: { type: 'string', default: '120' },
      share: { type: 'string', default: '50' },
      out: { type: 'string', default: join(root, 'docs/benchmarks.md') },
    },
  })
  return {
    minutes: parseCount({ option: 'minutes', text: values.minutes, min: 2, max: 10_000, usage }),
    share: parseCount({ option: 'share', text: values.share, max: 100, usage }),
    out: values.out,
  }
}

/** What visitors and developers ask for, each about as often as the other. */
function listPaths(tokens: readonly string[]): string[] {
  return tokens.flatMap((token) => [
    `/api/v1/prices/${token}`,
    '/assets.json',
    `/api/tokens/${token}/chart?range=1d`,
    `/api/tokens/${token}/chart?range=1m`,
    `/api/tokens/${token}/swaps?limit=20`,
    `/assets.json?page=1&pageSize=50&search=${token.slice(2, 4)}`,
    '/',
    '/api/status',
    '/api/trending',
    '/healthz',
  ])
}

async function drive(pace: Pace, ms: number, signal: AbortSignal): Promise<Paced> {
  const client = adopt('the client', fork(join(import.meta.dirname, 'pacedClient.ts'), { detached: true, silent: true }))
  try {
    client.process.send(pace)
    await Promise.race([sleep(ms, undefined, { signal }), client.gone.then((words) => Promise.reject(new Error(words)))])
    const told = new Promise<Paced>((done) => client.process.once('message', (message) => done(message as Paced)))
    client.process.send('report')
    return await within(told, { what: 'the report', msMax: reportMsMax, signal, gone: client.gone })
  } finally {
    await client.stop()
  }
}

function openStreams(reading: Reading): Child {
  const program = join(import.meta.dirname, '../stream/streamReaders.ts')
  const child = adopt('the readers', fork(program, { detached: true, silent: true }))
  child.process.send(reading)
  return child
}

function look({ server: { pid } }: Product): Sample {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  const rssMb = (Number(/^VmRSS:\s*(\d+) kB/m.exec(status)?.[1] ?? Number.NaN) * 1_024) / 1e6
  return { rssMb, descriptors: readdirSync(`/proc/${pid}/fd`).length }
}

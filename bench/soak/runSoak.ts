import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { type Product, startProduct } from '../api/product.ts'
import { forkChild } from '../children.ts'
import { measureSection, outOption } from '../measureSection.ts'
import { NotMeasured } from '../notMeasured.ts'
import { parseCount } from '../parseCount.ts'
import { readMemory } from '../readMemory.ts'
import { receive } from '../receive.ts'
import type { Reading } from '../stream/reading.ts'
import { withDevnet } from '../withDevnet.ts'
import { type Pace, type Paced, pacedSchema } from './pace.ts'
import { type Sample, summarise, toSection } from './report.ts'

export const usage = `npm run bench -- soak [--minutes n] [--share percent] [--out file]
  --minutes  of load (default 120); the second half is compared with the first
  --share    of the server's capacity, in percent (default 50)
  --out      the document with the section "Soak" (default docs/benchmarks.md)`

const settleMs = 20_000
const peakMs = 10_000
const sampleMs = 10_000
const progressMs = 60_000
const reportMsMax = 10_000
const readers = 20
const breakEveryMs = 60_000

/** Keeps the server under a steady load, and watches its memory and file descriptors. */
export async function run(args: string[], signal: AbortSignal): Promise<void> {
  const { values } = parseArgs({
    args,
    options: { minutes: { type: 'string', default: '120' }, share: { type: 'string', default: '50' }, out: outOption },
  })
  const minutes = parseCount({ option: 'minutes', text: values.minutes, min: 2, max: 10_000 })
  const share = parseCount({ option: 'share', text: values.share, max: 100 })
  await measureSection({ name: 'soak', args, out: values.out }, async (measuring) => {
    const { asked, samples, perSecond } = await soak({ minutes, share, signal })
    return toSection({ ...measuring, minutes, perSecond, asked, summary: summarise(samples) })
  })
}

type Plan = { readonly minutes: number; readonly share: number; readonly signal: AbortSignal }

function soak({ minutes, share, signal }: Plan) {
  return withDevnet({ live: true, signal }, async (devnet) => {
    const product = await startProduct(devnet.rpcUrl, {}, signal)
    const [key = ''] = await product.makeKeys(1)
    const addresses = devnet.tokens.map(({ address }) => address.toLowerCase())
    const pace: Pace = { url: product.url, paths: listPaths(addresses), key }
    await sleep(settleMs, undefined, { signal })
    const peak = await drive(pace, peakMs, signal)
    const capacity = ((peak.statuses['200'] ?? 0) / peak.ms) * 1_000
    const perSecond = Math.max(1, Math.floor(capacity * (share / 100)))
    console.log(`Capacity: ${capacity.toFixed(0)} answers per second; load: ${perSecond}`)
    const streams = forkChild('the readers', join(import.meta.dirname, '../stream/streamReaders.ts'))
    const reading: Reading = { url: product.url, keys: [key], readers, choosing: 5, addresses, breakEveryMs }
    streams.process.send(reading)
    const samples: Sample[] = []
    const startMs = performance.now()
    const timers = [
      setInterval(() => samples.push(look(product)), sampleMs),
      setInterval(() => console.log(toProgress(samples.at(-1), performance.now() - startMs)), progressMs),
    ]
    const asked = await drive({ ...pace, perSecond }, minutes * 60_000, signal)
    for (const timer of timers) clearInterval(timer)
    await streams.stop()
    await product.server.stop()
    return { asked, samples, perSecond }
  })
}

function toProgress(sample: Sample | undefined, ms: number): string {
  return `${(ms / 60_000).toFixed(0)} min: ${sample?.rssMb.toFixed(1)} MB, ${sample?.descriptors} descriptors`
}

/** The requests of visitors and developers, about equally many of each kind. */
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
  const client = forkChild('the client', join(import.meta.dirname, 'pacedClient.ts'))
  try {
    client.process.send(pace)
    const ended = client.gone.then((words) => Promise.reject(new NotMeasured(words)))
    await Promise.race([sleep(ms, undefined, { signal }), ended])
    const told = receive(client, pacedSchema, { what: 'the report', msMax: reportMsMax, signal })
    client.process.send('report')
    return await told
  } finally {
    await client.stop()
  }
}

function look({ server: { pid } }: Product): Sample {
  return { rssMb: readMemory(pid).nowBytes / 1e6, descriptors: readdirSync(`/proc/${pid}/fd`).length }
}

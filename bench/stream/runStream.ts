import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { type Product, startProduct } from '../api/product.ts'
import { CheckFailed } from '../checkFailed.ts'
import { forkChild } from '../children.ts'
import { measureSection, outOption } from '../measureSection.ts'
import { parseCount } from '../parseCount.ts'
import { watchTree } from '../processTree.ts'
import { readMemory } from '../readMemory.ts'
import { receive } from '../receive.ts'
import { within } from '../waiting.ts'
import { withDevnet } from '../withDevnet.ts'
import { type Heard, heardSchema, type Reading } from './reading.ts'
import { listFaults, type Memory, toSection } from './report.ts'

export const usage = `npm run bench -- stream [--readers n] [--seconds n] [--out file]
  --readers  of the stream at the same time (default 1000)
  --seconds  of reading (default 600)
  --out      the document with the section "Stream" (default docs/benchmarks.md)`

const readersOfKey = 90
const breakEveryMs = 60_000
const reportMsMax = 60_000
const settleMs = 20_000
const sampleMs = 1_000
const readersMax = 4_500

/** Reads the stream many times at once. @throws CheckFailed when a reader missed a change or could not resume */
export async function run(args: string[], signal: AbortSignal): Promise<void> {
  const { values } = parseArgs({
    args,
    options: { readers: { type: 'string', default: '1000' }, seconds: { type: 'string', default: '600' }, out: outOption },
  })
  const readers = parseCount({ option: 'readers', text: values.readers, min: 5, max: readersMax })
  const seconds = parseCount({ option: 'seconds', text: values.seconds, max: 86_400 })
  await measureSection({ name: 'stream', args, out: values.out }, async (measuring) => {
    const measured = await withDevnet({ live: true, signal }, async (devnet) => {
      const product = await startProduct(devnet.rpcUrl, {}, signal)
      const reading: Reading = {
        url: product.url,
        keys: await product.makeKeys(Math.ceil(readers / readersOfKey)),
        readers,
        choosing: Math.floor(readers / 5),
        addresses: devnet.tokens.map(({ address }) => address),
        breakEveryMs,
      }
      const { heard, memory } = await listen(product, reading, { seconds, signal })
      await product.server.stop()
      return { reading, heard, memory }
    })
    const section = toSection({ ...measuring, seconds, ...measured })
    const faults = listFaults(measured.heard)
    if (faults.length > 0) throw new CheckFailed(`${section}\n\n${faults.join(', ')}`)
    return section
  })
}

type Span = { readonly seconds: number; readonly signal: AbortSignal }

async function listen(
  { server }: Product,
  reading: Reading,
  { seconds, signal }: Span,
): Promise<{ heard: Heard; memory: Memory }> {
  // By then the memory of the start is free again.
  await within(sleep(settleMs), { what: 'the server', msMax: 2 * settleMs, signal, gone: server.gone })
  const readMb = () => readMemory(server.pid).nowBytes / 1e6
  const beforeMb = readMb()
  let peakMb = beforeMb
  const sampling = setInterval(() => {
    peakMb = Math.max(peakMb, readMb())
  }, sampleMs)
  const watch = watchTree(server.pid)
  const child = forkChild('the readers', join(import.meta.dirname, 'streamReaders.ts'))
  try {
    child.process.send(reading)
    await within(sleep(seconds * 1_000), { what: 'the streams', msMax: seconds * 1_000 + reportMsMax, signal, gone: child.gone })
    const endMb = readMb()
    const told = receive(child, heardSchema, { what: 'the report', msMax: reportMsMax, signal })
    child.process.send('report')
    const heard = await told
    return { heard, memory: { beforeMb, endMb, peakMb, cpuSeconds: watch.end()?.cpuSeconds ?? 0 } }
  } finally {
    clearInterval(sampling)
    await child.stop()
  }
}

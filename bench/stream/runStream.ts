import { fork } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { startDevnet } from '@chainboard/devnet'
import { type Product, startProduct } from '../api/product.ts'
import { adopt } from '../children.ts'
import { writeSection } from '../docsSection.ts'
import { describeMachine, type Machine } from '../machine.ts'
import { parseCount } from '../parseCount.ts'
import { watchTree } from '../processTree.ts'
import { percentile } from '../statistics.ts'
import { toTable } from '../table.ts'
import { within } from '../waiting.ts'
import type { Heard, Reading } from './streamReaders.ts'

export const usage = `npm run bench -- stream [--readers n] [--seconds n] [--out file]
  --readers  of the stream at once (default 1000)
  --seconds  (default 600)
  --out      the document whose section "Stream" is written (default docs/benchmarks.md)`

const readersOfKey = 90
const breakEveryMs = 60_000
const reportMsMax = 60_000
const settleMs = 20_000
const sampleMs = 1_000
const readersMax = 4_500

type Memory = { readonly beforeMb: number; readonly peakMb: number; readonly endMb: number; readonly cpuSeconds: number }

/** Measures, prints, and writes the section. @throws Error when a reader missed a change or could not resume */
export async function run(args: string[], signal: AbortSignal): Promise<void> {
  const { readers, seconds, out } = parseOptions(args)
  const machine = describeMachine()
  if (machine.busy) console.warn('Other work is running on this machine: the times will be worth little.')
  const devnet = await startDevnet({ live: true, signal, onProgress: (text) => console.log(`devnet: ${text}`) })
  try {
    const product = await startProduct(devnet.rpcUrl, { signal })
    const keys = await product.makeKeys(Math.ceil(readers / readersOfKey))
    const reading: Reading = {
      url: product.url,
      keys,
      readers,
      choosing: Math.floor(readers / 5),
      addresses: devnet.tokens.map(({ address }) => address),
      breakEveryMs,
    }
    const { heard, memory } = await listen(product, reading, { seconds, signal })
    await product.server.stop()
    const command = `npm run bench -- stream${args.map((arg) => ` ${arg}`).join('')}`
    const section = toSection({ command, machine, reading, seconds, heard, memory })
    console.log(`\n${section}`)
    const wrong = [heard.missed && `${heard.missed} changes missed`, heard.odd && `${heard.odd} out of order`, ...heard.errors]
    const faults = [...wrong, heard.lost && `${heard.lost} reconnects not resumed`, heard.events === 0 && 'no event at all']
    if (faults.some(Boolean)) throw new Error(faults.filter(Boolean).join(', '))
    writeSection(out, 'stream', section)
    console.log(`Written to ${out}`)
  } finally {
    await devnet.stop()
  }
}

function parseOptions(args: string[]) {
  const { values } = parseArgs({
    args,
    options: {
      readers: { type: 'string', default: '1000' },
      seconds: { type: 'string', default: '600' },
      out: { type: 'string', default: resolve(import.meta.dirname, '../../docs/benchmarks.md') },
    },
  })
  return {
    readers: parseCount({ option: 'readers', text: values.readers, min: 5, max: readersMax, usage }),
    seconds: parseCount({ option: 'seconds', text: values.seconds, max: 86_400, usage }),
    out: values.out,
  }
}

type Span = { readonly seconds: number; readonly signal: AbortSignal }

async function listen(
  { server }: Product,
  reading: Reading,
  { seconds, signal }: Span,
): Promise<{ heard: Heard; memory: Memory }> {
  // What the start took is given back by then.
  await within(sleep(settleMs), { what: 'the server', msMax: 2 * settleMs, signal, gone: server.gone })
  const beforeMb = readMb(server.pid)
  let peakMb = beforeMb
  const sampling = setInterval(() => {
    peakMb = Math.max(peakMb, readMb(server.pid))
  }, sampleMs)
  const watch = watchTree(server.pid)
  const program = join(import.meta.dirname, 'streamReaders.ts')
  const child = adopt('the readers', fork(program, { detached: true, silent: true }))
  try {
    child.process.send(reading)
    await within(sleep(seconds * 1_000), { what: 'the streams', msMax: seconds * 1_000 + reportMsMax, signal, gone: child.gone })
    const endMb = readMb(server.pid)
    const told = new Promise<Heard>((done) => child.process.once('message', (message) => done(message as Heard)))
    child.process.send('report')
    const heard = await within(told, { what: 'the report', msMax: reportMsMax, signal })
    const used = watch.end()
    return { heard, memory: { beforeMb, endMb, peakMb, cpuSeconds: used?.cpuSeconds ?? 0 } }
  } finally {
    clearInterval(sampling)
    await child.stop()
  }
}

function readMb(pid: number): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  return (Number(/^VmRSS:\s*(\d+) kB/m.exec(status)?.[1] ?? Number.NaN) * 1_024) / 1e6
}

type Measured = {
  readonly command: string
  readonly machine: Machine
  readonly reading: Reading
  readonly seconds: number
  readonly heard: Heard
  readonly memory: Memory
}

function toSection({ command, machine, reading, seconds, heard, memory }: Measured): string {
  const delay = (percent: number) => percentile(heard.delaysMs, percent).toFixed(1)
  return [
    '## Stream',
    `${reading.readers} streams of prices for ${seconds} s on a live devnet; ${reading.choosing} of them of one token each. Every reader breaks its line once a
minute on average and goes on with \`Last-Event-ID\`. Every event has a number: whoever misses one, or hears one twice, is found out.`,
    `\`\`\`sh\n${command}\n\`\`\``,
    machine.words.map((line) => `- ${line}`).join('\n'),
    ...(machine.busy ? ['**The machine was not quiet: these numbers hold for a loaded one.**'] : []),
    toTable(
      ['', 'Number'],
      [
        ['Changes', String(heard.events)],
        ['Deliveries', String(heard.deliveries)],
        ['Reconnects', String(heard.reconnects)],
        ['Reconnects that did not resume', String(heard.lost)],
        ['Changes missed', String(heard.missed)],
        ['Changes twice or out of order', String(heard.odd)],
      ],
    ),
    'Milliseconds until a reader heard what the first one heard, readers sharing one process; and the server: memory in MB, seconds of CPU.',
    toTable(
      ['Delay p50', 'p95', 'p99', 'max', 'Memory before', 'Peak', 'End', 'CPU'],
      [
        [
          ...[50, 95, 99, 100].map(delay),
          ...[memory.beforeMb, memory.peakMb, memory.endMb, memory.cpuSeconds].map((value) => value.toFixed(0)),
        ],
      ],
      0,
    ),
  ].join('\n\n')
}

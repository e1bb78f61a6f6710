import { execFileSync } from 'node:child_process'
import { readdirSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import type { Devnet } from '@chainboard/devnet'
import { findFreePort } from '../../tools/freePort.ts'
import { packArchive } from '../../tools/pack/packArchive.ts'
import { makeFolder, start } from '../children.ts'
import { measureSection, outOption } from '../measureSection.ts'
import { parseCount } from '../parseCount.ts'
import { readMemory } from '../readMemory.ts'
import { toHead } from '../sectionHead.ts'
import { toTable } from '../table.ts'
import { poll } from '../waiting.ts'
import { withDevnet } from '../withDevnet.ts'

export const usage = `npm run bench -- archive [--minutes n] [--out file]
  --minutes  of the devnet's trading (default 60)
  --out      the document with the section "Archive" (default docs/benchmarks.md)`

const readyMsMax = 120_000
const packedAtSeconds = 1_700_000_000
const networks = resolve(import.meta.dirname, '../../networks')

/** Runs the server from the archive, as an operator does, and reads how much it takes. */
export async function run(args: string[], signal: AbortSignal): Promise<void> {
  const { values } = parseArgs({ args, options: { minutes: { type: 'string', default: '60' }, out: outOption } })
  const minutes = parseCount({ option: 'minutes', text: values.minutes, max: 10_000 })
  await measureSection({ name: 'archive', args, out: values.out }, async (measuring) => {
    const folder = makeFolder('archive')
    const { file, bytes } = await packArchive(folder, packedAtSeconds)
    execFileSync('tar', ['xzf', file, '-C', folder])
    const unpacked = file.replace(/\.tar\.gz$/, '')
    const rows = await withDevnet({ live: true, signal }, (devnet) => watch(devnet, unpacked, minutes, signal))
    const about = `The server from the archive of \`npm run pack\`, with Node alone, on SQLite and the devnet: it reads a month of trades at its start, then a block
every two to three seconds. Memory is what is resident, \`VmRSS\`.`
    const head = toHead({ ...measuring, title: 'Archive', about })
    const sizes = [
      ['Archive', `${(bytes / 1e6).toFixed(1)} MB`],
      ['Unpacked', `${(sizeOf(unpacked) / 1e6).toFixed(1)} MB`],
    ]
    return [...head, toTable(['What', 'How much'], [...sizes, ...rows], 2)].join('\n\n')
  })
}

/** @returns what was read, as rows */
async function watch({ rpcUrl }: Devnet, unpacked: string, minutes: number, signal: AbortSignal): Promise<string[][]> {
  const port = await findFreePort()
  const env = {
    ...{ PATH: process.env['PATH'], NODE: process.execPath, NETWORK: 'devnet', NETWORKS_DIR: networks, RPC_URL: rpcUrl },
    ...{ DATA_DIR: makeFolder('archive-data'), PORT: String(port), LOG_LEVEL: 'warn' },
  }
  const beganMs = performance.now()
  const server = start({ command: join(unpacked, 'chainboard'), args: [], env })
  const isReady = async () => {
    const answer = await fetch(`http://127.0.0.1:${port}/readyz`).catch(() => undefined)
    return answer?.status === 200 ? performance.now() - beganMs : undefined
  }
  const readyMs = await poll(isReady, { what: 'the server', everyMs: 50, msMax: readyMsMax, signal, gone: server.gone })
  const rows = [['Start until `/readyz` says 200', `${(readyMs / 1_000).toFixed(1)} s`]]
  const fromMs = performance.now()
  for (const minute of [1, 5, 10, 15, 30, 60, minutes].filter((each, i, all) => each <= minutes && all.indexOf(each) === i)) {
    await sleep(Math.max(0, fromMs + minute * 60_000 - performance.now()), undefined, { signal })
    const { nowBytes, peakBytes } = readMemory(server.pid)
    rows.push([`Resident after ${minute} min`, `${(nowBytes / 1e6).toFixed(1)} MB; at most ${(peakBytes / 1e6).toFixed(1)} MB`])
    console.log(rows.at(-1)?.join(': '))
  }
  await server.stop()
  return rows
}

function sizeOf(folder: string): number {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  return files.reduce((sum, { parentPath, name }) => sum + statSync(join(parentPath, name)).size, 0)
}

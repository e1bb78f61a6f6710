// `npm run pack`: makes the archive that an operator unpacks and runs with Node alone.
import { execFileSync } from 'node:child_process'
import { relative, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { messageOf } from '@chainboard/core'
import { packArchive } from './pack/packArchive.ts'
import { isWrongOption, WrongOption } from './wrongOption.ts'

const usage = `Usage: npm run pack -- [--out <folder>]
  --out  where the archive and its checksum go (default: dist)
Environment
  SOURCE_DATE_EPOCH  unix seconds, the time of the archive's files (default: of the commit, or now when something is changed since)`

const root = resolve(import.meta.dirname, '..')

try {
  const { out, help } = parseArgs({ options: { out: { type: 'string', default: 'dist' }, help: { type: 'boolean' } } }).values
  if (help) console.log(usage)
  else await run(resolve(root, out))
} catch (error) {
  console.error(isWrongOption(error) ? `${error.message}\n${usage}` : messageOf(error))
  process.exitCode = 1
}

async function run(outDir: string): Promise<void> {
  const { file, bytes, unpackedBytes } = await packArchive(outDir, readMadeAt())
  console.log(`${relative(process.cwd(), file)}: ${toMegabytes(bytes)}, ${toMegabytes(unpackedBytes)} unpacked`)
}

function readMadeAt(): number {
  const given = process.env['SOURCE_DATE_EPOCH']
  if (given !== undefined) {
    if (/^\d{1,10}$/.test(given)) return Number(given)
    throw new WrongOption(`SOURCE_DATE_EPOCH: found ${JSON.stringify(given)}, expected unix seconds`)
  }
  const git = (...args: string[]) => execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim()
  return git('status', '--porcelain') === '' ? Number(git('show', '--no-patch', '--format=%ct')) : Math.floor(Date.now() / 1_000)
}

function toMegabytes(bytes: number): string {
  return `${(bytes / 1e6).toFixed(1)} MB`
}

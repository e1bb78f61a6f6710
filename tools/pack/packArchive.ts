import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  chmodSync,
  cpSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join, relative, resolve } from 'node:path'
import { messageOf } from '@chainboard/core'
import { Type } from 'typebox'
import { Value } from 'typebox/value'
import { buildPage } from '../builtPage.ts'
import { heapFlags, mallocEnv } from '../serverProcess.ts'
import { buildServer, keptPackages, listPackageFiles } from './buildServer.ts'
import { toBillOfMaterials, toNotices } from './describePackages.ts'
import { listCommands, toLauncher } from './launcher.ts'
import { foldersOf, foldersOfPage, listPackages } from './listPackages.ts'
import { NotPacked } from './notPacked.ts'
import { readSource, toProvenance } from './provenance.ts'

const root = resolve(import.meta.dirname, '../..')

const project = Type.Object({
  name: Type.String(),
  version: Type.String(),
  license: Type.String(),
  scripts: Type.Record(Type.String(), Type.String()),
})

/** What an operator has beside the programs. The devnet is for a checkout: it needs a node and a compiler. */
const copied = ['networks', 'deploy', 'docs', 'README.md', 'CHANGELOG.md', 'LICENSE']
const leftOut = ['networks/devnet.json', 'networks/lists/devnet', 'docs/decisions']

export type Archive = {
  /** `<name>.tar.gz`; beside it are its checksum, `<name>.tar.gz.sha256`, and where it comes from, `<name>.tar.gz.provenance.json`. */
  readonly file: string
  readonly bytes: number
  /** Of what it unpacks to. */
  readonly unpackedBytes: number
}

/**
 * Makes the archive that runs with Node alone. The same sources, packages and times give the same bytes.
 * @param madeAtSeconds unix seconds, the time of all its files: browsers and proxies tell one version of the page from another by it
 * @throws NotPacked, or the error of the build that failed
 */
export async function packArchive(outDir: string, madeAtSeconds: number): Promise<Archive> {
  const { name: product, version, license, scripts } = Value.Parse(project, readJson(join(root, 'package.json')))
  const machine = `${process.platform}-${process.arch}`
  const name = `${product}-${version}-${machine}`
  const files = listKnown()
  const staging = mkdtempSync(join(tmpdir(), 'chainboard-pack-'))
  try {
    const folder = join(staging, name)
    const commands = listCommands(scripts)
    const sources = await buildServer(join(folder, 'server'), commands)
    const page = join(folder, 'web', 'dist')
    buildPage(page)
    const kept = listKept()
    const inPart = listPackageFiles()
    const packages = listPackages(root, [...foldersOf(sources), ...foldersOfPage(root, page), ...kept, ...inPart.keys()])
    rmSync(join(page, '.vite'), { recursive: true })
    for (const path of [...kept, ...[...inPart.values()].flat()])
      cpSync(join(root, path), join(folder, path), { recursive: true })
    for (const file of files) cpSync(join(root, file), join(folder, file))

    const about = { name: product, version, license }
    const put = (file: string, text: string) => writeFileSync(join(folder, file), text)
    put('chainboard', toLauncher(commands, { flags: heapFlags, env: mallocEnv, machine }))
    put('sbom.cdx.json', toBillOfMaterials(about, packages))
    put('THIRD-PARTY-NOTICES.txt', toNotices(about, packages))
    put(
      'package.json',
      toOwnManifest(
        about,
        commands.map((command) => command.name),
      ),
    )
    setModes(folder)
    put('SHA256SUMS', listSums(folder))
    chmodSync(join(folder, 'SHA256SUMS'), 0o644)

    mkdirSync(outDir, { recursive: true })
    const file = join(outDir, `${name}.tar.gz`)
    writeArchive(file, { staging, name, madeAtSeconds })
    const sha256 = digestOf(file)
    writeFileSync(`${file}.sha256`, `${sha256}  ${basename(file)}\n`)
    const made = { lockSha256: digestOf(join(root, 'package-lock.json')), madeAtSeconds, machine, nodeVersion: process.version }
    const provenance = toProvenance({ archive: { name: basename(file), sha256 }, source: readSource(git), ...made })
    writeFileSync(`${file}.provenance.json`, provenance)
    return {
      file,
      bytes: statSync(file).size,
      unpackedBytes: listFiles(folder).reduce((sum, each) => sum + statSync(each).size, 0),
    }
  } finally {
    rmSync(staging, { recursive: true, force: true })
  }
}

/**
 * What git knows of the copied folders: whatever else lies there, such as notes or settings of whoever packs, is nobody's business.
 * @throws NotPacked outside a checkout, for links, and when the page would take along what git does not know
 */
function listKnown(): string[] {
  const known = git('ls-files', '--', ...copied).filter(
    (file) => !leftOut.some((path) => file === path || file.startsWith(`${path}/`)),
  )
  const link = known.find((file) => lstatSync(join(root, file)).isSymbolicLink())
  if (link !== undefined) throw new NotPacked(`${link} is a link: put a file in its place`)
  const [stray] = git('ls-files', '--others', '--', 'web/public')
  if (stray !== undefined) throw new NotPacked(`${stray} would be in the page, but is not in git: commit or remove it`)
  return known
}

function git(...args: string[]): string[] {
  try {
    return execFileSync('git', args, { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] })
      .split('\n')
      .filter(Boolean)
  } catch (cause) {
    throw new NotPacked(`An archive is made of what git knows, and git fails here: ${messageOf(cause)}`, { cause })
  }
}

/** Folders of the packages that stay as they are, with the machine code that belongs to this machine. */
function listKept(): string[] {
  return keptPackages.flatMap((name) => {
    const scope = join('node_modules', name, '..')
    const parts = readdirSync(join(root, scope)).filter((part) => part.startsWith(basename(name)))
    return parts.sort().map((part) => join(scope, part))
  })
}

/** Lets `npm start` and `npm run doctor` work as in a checkout, where npm is there. */
function toOwnManifest(
  about: { readonly name: string; readonly version: string; readonly license: string },
  names: readonly string[],
) {
  const commands = Object.fromEntries(names.map((name) => [name, `./chainboard ${name}`]))
  const scripts = { start: './chainboard', ...commands }
  return `${JSON.stringify({ ...about, private: true, type: 'module', engines: { node: '>=24' }, scripts }, null, 2)}\n`
}

/** Whatever the umask of whoever packs was. */
function setModes(folder: string): void {
  for (const file of listFiles(folder)) chmodSync(file, basename(file) === 'chainboard' ? 0o755 : 0o644)
}

function listSums(folder: string): string {
  return listFiles(folder)
    .map((file) => `${digestOf(file)}  ${relative(folder, file)}\n`)
    .join('')
}

function listFiles(folder: string): string[] {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true })
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort()
}

function digestOf(file: string): string {
  return createHash('sha256').update(readFileSync(file)).digest('hex')
}

type Written = { readonly staging: string; readonly name: string; readonly madeAtSeconds: number }

/** By GNU tar, in the order of names, as nobody's, without the time of the compression and whatever the packer has set for either. */
function writeArchive(file: string, { staging, name, madeAtSeconds }: Written): void {
  const same = ['--sort=name', `--mtime=@${madeAtSeconds}`, '--owner=0', '--group=0', '--numeric-owner', '--format=gnu']
  const args = [
    '--create',
    '--mode=go=rX,u+rw',
    ...same,
    '--use-compress-program=gzip -9n',
    '--file',
    file,
    '--directory',
    staging,
    name,
  ]
  execFileSync('tar', args, { env: { PATH: process.env['PATH'], LC_ALL: 'C' } })
}

function readJson(file: string): unknown {
  return JSON.parse(readFileSync(file, 'utf8'))
}

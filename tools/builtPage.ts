import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { brotliCompressSync, constants } from 'node:zlib'

const root = resolve(import.meta.dirname, '..')

/** A script or style sheet of the built page. */
type FoundFile = {
  readonly file: string
  readonly kind: 'js' | 'css'
  /** `first`: fetched before the home page can be used; `later`: when something asks for it. */
  readonly when: 'first' | 'later'
}

/** A file of the page with what it costs to fetch, at the best compression. */
export type PageFile = FoundFile & { readonly brotliBytes: number }

/** A part of `.vite/manifest.json`: what it is made of, and what it imports, by key. */
type Chunk = { readonly file: string; readonly isEntry?: boolean; readonly imports?: string[]; readonly css?: string[] }
type Manifest = Readonly<Record<string, Chunk>>

/** The page was built into something else than Vite's usual folder. The message names what is missing. */
class UnknownBuild extends Error {}

/**
 * Builds the page into a folder, whose content goes, as `npm run build` does into web/dist.
 * @param part `page`: its scripts, styles and fonts alone, the same as of the `whole` and in a quarter of the time
 */
export function buildPage(folder: string, part: 'whole' | 'page' = 'whole'): void {
  const vite = join(root, 'node_modules/vite/bin/vite.js')
  const args = [vite, 'build', '--outDir', folder, '--emptyOutDir', '--logLevel', 'error']
  if (part === 'page') args.push('--mode', 'page')
  // A test runner's NODE_ENV would build React's development half.
  execFileSync(process.execPath, args, { cwd: join(root, 'web'), env: { ...process.env, NODE_ENV: 'production' } })
}

/** The scripts and style sheets of a built page, those of the first load first, large before small. @throws UnknownBuild without an entry */
export function listPageFiles(folder: string): PageFile[] {
  return measureFiles(folder, findPageFiles(folder))
}

/** Files of a built page with what each costs, those of the first load first, large before small. */
export function measureFiles(folder: string, files: readonly FoundFile[]): PageFile[] {
  return files
    .map((file) => ({ ...file, brotliBytes: measureBytes(join(folder, file.file)) }))
    .toSorted((a, b) => a.when.localeCompare(b.when) || b.brotliBytes - a.brotliBytes)
}

/** The scripts and style sheets of a built page. @throws UnknownBuild without an entry */
export function findPageFiles(folder: string): FoundFile[] {
  const manifest = readManifest(folder)
  const entry = Object.keys(manifest).find((key) => manifest[key]?.isEntry)
  if (!entry) throw new UnknownBuild(`${folder} has no entry in its manifest`)
  const first = filesOf(manifest, withImports(manifest, entry))
  const built = new Set(filesOf(manifest, new Set(Object.keys(manifest))))
  // Beside what the build made there are scripts of web/public, which index.html asks for at once.
  const loose = readdirSync(folder).filter((file) => file.endsWith('.js'))
  return [...new Set([...first, ...loose, ...built])]
    .filter((file) => /\.(js|css)$/.test(file))
    .map((file) => ({
      file,
      kind: file.endsWith('.css') ? 'css' : 'js',
      when: first.includes(file) || loose.includes(file) ? 'first' : 'later',
    }))
}

function readManifest(folder: string): Manifest {
  const found: Readonly<Record<string, unknown>> = JSON.parse(readFileSync(join(folder, '.vite/manifest.json'), 'utf8'))
  const manifest: Record<string, Chunk> = {}
  for (const [key, chunk] of Object.entries(found)) {
    if (!isChunk(chunk)) throw new UnknownBuild(`${folder}: ${key} is no chunk in its manifest`)
    manifest[key] = chunk
  }
  return manifest
}

function isChunk(value: unknown): value is Chunk {
  return typeof value === 'object' && value !== null && 'file' in value && typeof value.file === 'string'
}

/** A chunk and all that it imports at once, by key. */
function withImports(manifest: Manifest, key: string, seen = new Set<string>()): Set<string> {
  if (seen.has(key)) return seen
  seen.add(key)
  for (const imported of manifest[key]?.imports ?? []) withImports(manifest, imported, seen)
  return seen
}

function filesOf(manifest: Manifest, keys: ReadonlySet<string>): string[] {
  return [...keys].flatMap((key) => {
    const chunk = manifest[key]
    return chunk ? [chunk.file, ...(chunk.css ?? [])] : []
  })
}

function measureBytes(path: string): number {
  const params = { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY }
  return brotliCompressSync(readFileSync(path), { params }).length
}

/** What the first load may cost, in bytes after brotli. */
export const firstLoadBudget = { js: 105_000, css: 12_000 } as const

/** Bytes after brotli of all that the first load fetches of one kind. */
export function firstLoadBytes(files: readonly PageFile[], kind: PageFile['kind']): number {
  return files
    .filter((file) => file.kind === kind && file.when === 'first')
    .reduce((sum, { brotliBytes }) => sum + brotliBytes, 0)
}

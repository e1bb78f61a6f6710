import { mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { build, type Plugin } from 'esbuild'
import { programsVariable } from './findProgram.ts'

const root = resolve(import.meta.dirname, '../..')
/** What tests start as processes of their own, from the server's folder. */
const programs = [
  'main',
  ...['audit', 'auditLog', 'backup', 'doctor', 'indexes', 'init', 'restore', 'revalue', 'signInCode', 'verify'].map(
    (name) => `cli/${name}`,
  ),
  ...['testing/quotaServer', 'testing/simulation/storyProcess'],
]
/** Packages of many small modules. The others stay outside: some find files of theirs by their own place. */
const packed = ['@chainboard/', '@noble/', '@scure/', 'abitype', 'cockatiel', 'graphql', 'kysely', 'ox', 'typebox', 'viem']

/**
 * Puts each program that tests start into a few files, as a run's global setup: of the 1.6 s of processor that a start took for its
 * 2,300 modules it takes 0.4 then. `npm start` runs the modules as they are, and so do its own tests.
 * @returns what takes them away again; nothing when they are there already
 */
export default async function buildPrograms(): Promise<(() => void) | undefined> {
  if (process.env[programsVariable] !== undefined) return undefined
  const folder = mkdtempSync(join(tmpdir(), 'chainboard-programs-'))
  await build({
    entryPoints: programs.map((name) => join('server', `${name}.ts`)),
    absWorkingDir: root,
    outdir: folder,
    outbase: 'server',
    ...{ bundle: true, splitting: true, format: 'esm', platform: 'node', target: 'node24', logLevel: 'error' },
    plugins: [keepOutside, keepPlaces],
  })
  // Modules of packages outside are looked for from here on.
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
  process.env[programsVariable] = folder
  return () => {
    delete process.env[programsVariable]
    rmSync(folder, { recursive: true, force: true })
  }
}

const keepOutside: Plugin = {
  name: 'keep packages outside',
  setup: ({ onResolve }) => {
    onResolve({ filter: /^[^./]/ }, ({ path, kind }) => {
      const isPacked = packed.some((name) => path === name || path.startsWith(name.endsWith('/') ? name : `${name}/`))
      return kind === 'entry-point' || isPacked ? undefined : { path, external: true }
    })
  },
}

/** Our modules find their files, and the threads that they start, where their source is. */
const keepPlaces: Plugin = {
  name: 'keep places',
  setup: ({ onLoad }) => {
    onLoad({ filter: /\.ts$/ }, ({ path }) => ({
      loader: 'ts',
      contents: readFileSync(path, 'utf8')
        .replaceAll('import.meta.dirname', JSON.stringify(dirname(path)))
        .replaceAll('import.meta.url', JSON.stringify(pathToFileURL(path).href)),
    }))
  },
}

import { readdirSync, readFileSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import { build, type Plugin } from 'esbuild'
import type { Command } from './launcher.ts'
import { NotPacked } from './notPacked.ts'

const root = resolve(import.meta.dirname, '../..')

/** Finds files of its own by its own place: a module of machine code. */
export const keptPackages = ['@node-rs/argon2']

/** A thread of the server, by the module that it runs. The built one lies beside whatever starts it. */
const threadPattern = /new URL\('\.\/(\w+)\.ts', import\.meta\.url\)/g

/** A file of a package that a module of the server reads: the programs find it where npm would have put it. */
const packageFilePattern = /\bresolve\('(@[\w-]+\/[\w-]+)\/([\w./-]+)'\)/g

/** V8 keeps the text of a program, so that white space and comments cost memory. In lines of about so much, a stack still says where. */
const lineLimit = 160

/** Packages written before modules were: what they take as given. */
const banner = `import { createRequire as chainboardRequire } from 'node:module'
const require = chainboardRequire(import.meta.url)
const [__filename, __dirname] = [import.meta.filename, import.meta.dirname]`

/**
 * Builds the server and its commands into a few files, with every package that they use except those of {@link keptPackages}. The names of
 * functions stay, so that a stack in a log can be read. The same sources give the same bytes, wherever they lie.
 * @param commands whose programs are built beside the server
 * @returns the files of which something is in it, as paths from the project's folder
 * @throws NotPacked when two programs have one name; esbuild's own error for what cannot be built
 */
export async function buildServer(outdir: string, commands: readonly Command[]): Promise<string[]> {
  const entries = listEntries(commands)
  const { metafile } = await build({
    entryPoints: entries.map(([name, file]) => ({ in: file, out: name })),
    absWorkingDir: root,
    outdir,
    ...{ bundle: true, splitting: true, format: 'esm', platform: 'node', target: 'node24', logLevel: 'error' },
    ...{ minifySyntax: true, minifyWhitespace: true, lineLimit, legalComments: 'none', metafile: true },
    banner: { js: banner },
    external: [...keptPackages, 'pg-native'],
    plugins: [startBuiltThreads],
  })
  const parts = Object.values(metafile.outputs).flatMap(({ inputs }) => Object.entries(inputs))
  return [...new Set(parts.flatMap(([file, { bytesInOutput }]) => (bytesInOutput > 0 ? [file] : [])))].sort()
}

/**
 * Files of packages that modules of the server read, such as a font, with what says whose they are. The code of these packages is in the
 * programs.
 * @returns paths from the project's folder, by package
 */
export function listPackageFiles(): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, Set<string>>()
  for (const module of listModules()) {
    const text = readFileSync(join(root, 'server', module), 'utf8')
    for (const [, name = '', file = ''] of text.matchAll(packageFilePattern)) {
      const folder = join('node_modules', name)
      const about = readdirSync(join(root, folder)).filter((each) => /^(package\.json|licen[cs]e.*)$/i.test(each))
      const files = found.get(folder) ?? new Set(about.map((each) => join(folder, each)))
      found.set(folder, files.add(join(folder, file)))
    }
  }
  return new Map([...found].map(([folder, files]) => [folder, [...files].sort()]))
}

function listModules(): string[] {
  return readdirSync(join(root, 'server'), { recursive: true, encoding: 'utf8' }).filter(
    (file) => file.endsWith('.ts') && !file.endsWith('.test.ts') && !file.startsWith('testing/'),
  )
}

/** Everything that is started by itself: the server, its commands, its threads. @returns names and files */
function listEntries(wanted: readonly Command[]): [name: string, file: string][] {
  const threads = listModules().flatMap((file) =>
    [...readFileSync(join(root, 'server', file), 'utf8').matchAll(threadPattern)].map(([, name]) =>
      join(file, '..', `${name}.ts`),
    ),
  )
  const commands = wanted.map(({ program }) => `cli/${program}.ts`)
  const entries = ['main.ts', ...commands, ...threads].map((file): [string, string] => [
    basename(file, '.ts'),
    join('server', file),
  ])
  const names = new Set(entries.map(([name]) => name))
  if (names.size !== entries.length)
    throw new NotPacked(`Two programs of the server have the same name: ${[...names].join(', ')}`)
  return entries
}

const startBuiltThreads: Plugin = {
  name: 'start built threads',
  setup: ({ onLoad }) => {
    onLoad({ filter: /\/server\/.*\.ts$/ }, ({ path }) => {
      if (path.includes('/node_modules/')) return undefined
      const text = readFileSync(path, 'utf8')
      return { loader: 'ts', contents: text.replaceAll(threadPattern, "new URL('./$1.js', import.meta.url)") }
    })
  },
}

import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'

const root = resolve(import.meta.dirname, '..')
const linesMax = 400

/** What the server is wired from. */
const stages = [
  'core',
  'contract',
  'server/chain',
  'server/store',
  'server/witness',
  'server/indexer',
  'server/recent',
  'server/boosts',
  'server/market',
  'server/portfolio',
  'server/graph',
  'server/budgets',
  'server/gateway',
  'server/accounts',
  'server/operators',
  'server/keys',
  'server/api',
  'server/doctor',
  'server/init',
  'server/verify',
  'server/keeping',
  'server/cluster',
  'server/network',
]

/** Which part may use which others, itself apart. ARCHITECTURE.md has the same table with the reasons. */
const mayImport: Readonly<Record<string, readonly string[]>> = {
  core: [],
  contract: ['core'],
  sdk: [],
  'server/chain': ['core'],
  'server/store': ['core'],
  'server/witness': ['core', 'server/chain', 'server/store'],
  'server/indexer': ['core', 'server/chain', 'server/store', 'server/witness'],
  'server/recent': ['core', 'server/chain', 'server/store', 'server/witness', 'server/indexer'],
  'server/market': ['core', 'contract', 'server/chain', 'server/store', 'server/network'],
  /** What clients may cause, and who counts it. */
  'server/budgets': ['core'],
  'server/gateway': ['core', 'server/chain', 'server/budgets'],
  'server/accounts': ['core', 'server/store'],
  'server/operators': ['core', 'server/store'],
  'server/keys': ['core', 'contract', 'server/chain', 'server/store', 'server/budgets', 'server/operators'],
  'server/boosts': ['core', 'server/chain', 'server/store'],
  'server/portfolio': ['core', 'server/chain', 'server/market'],
  'server/api': [
    'core',
    'contract',
    'server/accounts',
    'server/operators',
    'server/keys',
    'server/budgets',
    'server/gateway',
    'server/boosts',
    'server/indexer',
    'server/market',
    'server/portfolio',
    'server/network',
  ],
  /** Goes back in time with the indexer's fold. */
  'server/graph': ['core', 'server/store', 'server/indexer', 'server/budgets'],
  'server/doctor': ['core', 'server/chain', 'server/indexer', 'server/market', 'server/portfolio', 'server/network'],
  'server/init': ['core', 'server/chain', 'server/indexer', 'server/market', 'server/doctor', 'server/network'],
  'server/verify': ['core', 'contract', 'server/chain', 'server/indexer', 'server/market'],
  'server/keeping': ['core', 'server/store'],
  'server/cluster': ['core', 'server/store', 'server/boosts', 'server/indexer', 'server/market'],
  /** The shape of a network file and the reading of inputs: known to every stage that is told something by the operator. */
  'server/network': ['core'],
  /** Process, configuration, wiring. */
  'server/root': stages,
  /** Commands beside the server. */
  'server/cli': ['server/root', ...stages],
  'web/app': ['core', 'contract', 'web/slices', 'web/token', 'web/ui', 'web/lib'],
  'web/slices': ['core', 'contract', 'sdk', 'web/verify', 'web/token', 'web/ui', 'web/lib'],
  /** The command's own verification, for a browser. */
  'web/verify': ['core', 'contract', 'server/chain', 'server/verify'],
  /** A token's name, mark, price and warnings, which several slices show. */
  'web/token': ['core', 'contract', 'web/ui', 'web/lib'],
  'web/ui': ['core', 'web/lib'],
  'web/lib': ['core', 'contract'],
  contracts: ['core'],
  devnet: ['core', 'contracts'],
  tools: ['core', 'contract', 'server/root', 'contracts', 'devnet'],
  /** Measures any part. */
  bench: ['server/testing', 'server/root', ...stages, 'contracts', 'devnet', 'tools'],
}

const networkFiles = [
  'networkFile.ts',
  'networkBase.ts',
  'networkFileSchema.ts',
  'networkFields.ts',
  'findProblems.ts',
  'finding.ts',
]

/** Single files that a single other one may import besides: the network file's schema is made of what price sources add to it. */
const mayImportBesides: Readonly<Record<string, string>> = {
  'server/networkFileSchema.ts': 'server/market/sourceRegistry.ts',
}

/** The only files that read the environment; the node's launcher hands it on. */
const environmentReaders = [
  'server/readConfigOrExit.ts',
  'server/testing/buildPrograms.ts',
  'server/testing/findProgram.ts',
  'devnet/anvil.ts',
  'tools/',
  'bench/',
]

const files = execFileSync('git', ['ls-files', '-co', '--exclude-standard', '*.ts', '*.tsx'], { cwd: root, encoding: 'utf8' })
  .split('\n')
  .filter((file) => file && !/(^|\/)vite(st)?\.config\.ts$|^playwright\.config\.ts$|^e2e\/|\.d\.ts$/.test(file))
const product = files.filter((file) => !/\.test\.tsx?$|^server\/testing\//.test(file))

function partOf(file: string): string {
  const [first = '', second = ''] = file.split('/')
  if (first === 'web') return `web/${second}`
  if (first !== 'server') return first
  if (networkFiles.includes(second)) return 'server/network'
  return second.endsWith('.ts') ? 'server/root' : `server/${second}`
}

/** Files of the project that a file imports, by path from the root; a workspace package counts as its public file. */
function importsOf(file: string): string[] {
  const text = readFileSync(join(root, file), 'utf8')
  const specifiers = [...text.matchAll(/(?:from|import)\s*\(?\s*['"]([^'"]+)['"]/g)].map((match) => match[1] ?? '')
  return specifiers.flatMap((specifier) => {
    const workspace = /^@chainboard\/([a-z]+)/.exec(specifier)
    if (workspace) return [`${workspace[1]}/index.ts`]
    return specifier.startsWith('.') ? [join(dirname(file), specifier)] : []
  })
}

/** Each circle once, types included, as the files on the way around it. */
function findCircles(from: readonly string[]): string[] {
  const circles: string[] = []
  const done = new Set<string>()
  const way: string[] = []
  const visit = (file: string) => {
    const at = way.indexOf(file)
    if (at >= 0) circles.push([...way.slice(at), file].join(' -> '))
    if (at >= 0 || done.has(file)) return
    way.push(file)
    for (const imported of importsOf(file)) {
      if (known.has(imported)) visit(imported)
    }
    way.pop()
    done.add(file)
  }
  const known = new Set(from)
  for (const file of from) visit(file)
  return circles
}

describe('the architecture', () => {
  it('has no file that imports what its part may not', () => {
    const offences = product.flatMap((file) => {
      const allowed = [partOf(file), ...(mayImport[partOf(file)] ?? [])]
      return importsOf(file)
        .filter((imported) => !allowed.includes(partOf(imported)) && mayImportBesides[file] !== imported)
        .map((imported) => `${file} imports ${imported}, but ${allowed[0]} may import ${allowed.slice(1).join(', ')}`)
    })
    expect(offences, 'See the table in ARCHITECTURE.md').toEqual([])
  })

  it('has a row for every part', () => {
    expect([...new Set(product.map(partOf))].filter((part) => !mayImport[part])).toEqual([])
  })

  it('can do without the benchmarks, tests included', () => {
    const users = files.filter(
      (file) => partOf(file) !== 'bench' && importsOf(file).some((imported) => partOf(imported) === 'bench'),
    )
    expect(users, 'Move what both need to tools/ or to server/testing/').toEqual([])
  })

  it('gives the page and the SDK types of the contract, and no bytes of it', () => {
    const values = product.filter(
      (file) =>
        /^(web|sdk)\//.test(file) &&
        /^(?:im|ex)port (?!type\b)[^'"]*['"]@chainboard\/contract['"]|import\(['"]@chainboard\/contract/m.test(
          readFileSync(join(root, file), 'utf8'),
        ),
    )
    expect(values, 'Write `import type`: a value brings the validator into the page').toEqual([])
  })

  it('keeps slices of the page apart from each other', () => {
    const sliceOf = (path: string) => /^web\/slices\/([^/]+)/.exec(path)?.[1]
    const crossings = product.flatMap((file) =>
      importsOf(file)
        .filter((imported) => sliceOf(file) && sliceOf(imported) && sliceOf(file) !== sliceOf(imported))
        .map((imported) => `${file} imports ${imported}: let the page compose them`),
    )
    expect(crossings).toEqual([])
  })

  it('has no files that import each other in a circle, types included', () => {
    expect(findCircles(product)).toEqual([])
  })

  it('reads the environment in one place', () => {
    const readers = files.filter((file) => readFileSync(join(root, file), 'utf8').includes('process.env'))
    expect(readers.filter((file) => !environmentReaders.some((allowed) => file.startsWith(allowed)))).toEqual([])
  })

  it('has no barrels but the one public file of a package', () => {
    const barrels = product.filter(
      (file) => /\/index\.tsx?$/.test(file) && /^export \* from/m.test(readFileSync(join(root, file), 'utf8')),
    )
    expect(barrels.filter((file) => file.split('/').length !== 2)).toEqual([])
  })

  it(`has no file over ${linesMax} lines`, () => {
    const long = files.filter((file) => readFileSync(join(root, file), 'utf8').trimEnd().split('\n').length > linesMax)
    expect(long).toEqual([])
  })
})

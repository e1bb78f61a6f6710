import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TSchema, Type } from 'typebox'
import { Value } from 'typebox/value'
import { NotPacked } from './notPacked.ts'

/** A package of somebody else that is part of the product. */
export type Package = {
  readonly name: string
  readonly version: string
  /** As its author names it; undefined where he does not. */
  readonly license: string | undefined
  /** Of what was installed, as the lock file has it: `sha512-…`. */
  readonly integrity: string
  /** The licence's own words; undefined where the package brings none. */
  readonly text: string | undefined
}

const manifest = Type.Object({ name: Type.String(), version: Type.String(), license: Type.Optional(Type.String()) })
const lock = Type.Object({
  packages: Type.Record(
    Type.String(),
    Type.Object({ version: Type.Optional(Type.String()), integrity: Type.Optional(Type.String()) }),
  ),
})
const names = Type.Record(Type.String(), Type.String())
const dependent = Type.Object({ dependencies: names, devDependencies: names })
/** What the page's build says that it took. */
const pageParts = Type.Array(Type.Object({ name: Type.String(), version: Type.String() }))

const folderPattern = /^.*node_modules\/(?:@[^/]+\/)?[^/]+/

/** Folders of the packages that files belong to. @param files paths from the project's folder; those of the project itself are left out */
export function foldersOf(files: readonly string[]): string[] {
  return files.flatMap((file) => folderPattern.exec(file)?.[0] ?? [])
}

/**
 * Folders of the packages that are in a built page: of its scripts, and those that it names itself, as one of them is a font.
 * @throws NotPacked for one that the lock file does not have
 */
export function foldersOfPage(root: string, dist: string): string[] {
  const installed = Object.entries(readLock(root))
  const { dependencies, devDependencies } = readAs(dependent, join(root, 'web/package.json'))
  // Its style sheet is in the page, too.
  const named = [...Object.entries(dependencies), ...Object.entries(devDependencies).filter(([name]) => name === 'tailwindcss')]
  const foreign = named.filter(([name]) => !name.startsWith('@chainboard/')).map(([name, version]) => ({ name, version }))
  return [...readAs(pageParts, join(dist, '.vite/license.json')), ...foreign].map(({ name, version }) => {
    const [folder] = installed.find(([path, each]) => path.endsWith(`node_modules/${name}`) && each.version === version) ?? []
    if (folder === undefined) throw new NotPacked(`package-lock.json has no ${name} ${version}, which the page is built from`)
    return folder
  })
}

/** The packages in these folders, by name. @throws NotPacked for one that the lock file does not vouch for */
export function listPackages(root: string, folders: readonly string[]): Package[] {
  const installed = readLock(root)
  const found = new Map<string, Package>()
  for (const folder of new Set(folders)) {
    const { name, version, license } = readAs(manifest, join(root, folder, 'package.json'))
    const integrity = installed[folder]?.integrity
    if (integrity === undefined) throw new NotPacked(`package-lock.json has no integrity of ${folder}`)
    found.set(`${name}@${version}`, { name, version, license, integrity, text: findLicense(join(root, folder)) })
  }
  return [...found].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, each]) => each)
}

function readLock(root: string) {
  return readAs(lock, join(root, 'package-lock.json')).packages
}

function findLicense(folder: string): string | undefined {
  const file = readdirSync(folder).find((name) => /^(licen[cs]e|copying)/i.test(name))
  return file && readFileSync(join(folder, file), 'utf8').trim()
}

function readAs<T extends TSchema>(schema: T, file: string) {
  return Value.Parse(schema, JSON.parse(readFileSync(file, 'utf8')))
}

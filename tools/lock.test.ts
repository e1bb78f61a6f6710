import { existsSync, readdirSync, readFileSync, realpathSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'
import { Type } from 'typebox'
import { Value } from 'typebox/value'
import { expect, it } from 'vitest'

// What runs is what the lock files vouch for.

const root = resolve(import.meta.dirname, '..')
const entry = Type.Object({
  link: Type.Optional(Type.Boolean()),
  integrity: Type.Optional(Type.String()),
  resolved: Type.Optional(Type.String()),
})
const lock = Type.Object({ packages: Type.Record(Type.String(), entry) })

/** Packages of others, by their folders. */
function readLock(folder: string) {
  const { packages } = Value.Parse(lock, JSON.parse(readFileSync(join(root, folder, 'package-lock.json'), 'utf8')))
  return Object.entries(packages).filter(([path, { link }]) => path.includes('node_modules/') && !link)
}

it.each(['.', 'tools/clients'])('%s: every package has a checksum, those of other systems too', (folder) => {
  const without = readLock(folder).flatMap(([path, { integrity }]) =>
    /^sha512-[A-Za-z0-9+/]{86}==$/.test(integrity ?? '') ? [] : [path],
  )
  expect(without).toEqual([])
})

it('every package comes from the registry: no file, no URL, no repository', () => {
  for (const folder of ['.', 'tools/clients'])
    expect(readLock(folder).flatMap(([path, { resolved }]) => (resolved === undefined ? [] : [`${path}: ${resolved}`]))).toEqual(
      [],
    )
})

it('every package that is installed is in the lock, the Node that runs everything among them', () => {
  const known = new Set(readLock('.').map(([path]) => path))
  expect(listInstalled('node_modules').filter((path) => !known.has(path))).toEqual([])
  const node = relative(root, realpathSync(join(root, 'node_modules/.bin/node')))
  expect([...known].filter((path) => node.startsWith(`${path}/`))).toHaveLength(1)
})

it('nothing that a package brings is run while it is installed', () => {
  const prepare = readFileSync(join(root, 'tools/prepare.mjs'), 'utf8')
  const installs = [...prepare.matchAll(/\['ci',[^\]]*\]/g)].map(([args]) => args)
  expect(installs).toHaveLength(2)
  for (const args of installs) expect(args).toContain("'--ignore-scripts'")
})

/** Folders of packages, those within packages included unless they came in the same file. Links lead to our own. */
function listInstalled(folder: string): string[] {
  const entries = readdirSync(join(root, folder), { withFileTypes: true })
  return entries.flatMap((each) => {
    const path = `${folder}/${each.name}`
    if (!each.isDirectory() || each.name.startsWith('.')) return []
    if (each.name.startsWith('@')) return listInstalled(path)
    const inner = existsSync(join(root, path, 'node_modules')) && !bundles(path)
    return [path, ...(inner ? listInstalled(`${path}/node_modules`) : [])]
  })
}

function bundles(path: string): boolean {
  return /"bundled?Dependencies"/.test(readFileSync(join(root, path, 'package.json'), 'utf8'))
}

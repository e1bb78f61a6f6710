import { existsSync, mkdirSync, renameSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import type { NetworkFile } from '../networkFileSchema.ts'
import type { FirstList } from './toFiles.ts'

/** Where the files of a network are. */
export type NetworkPaths = {
  readonly network: string
  readonly assets: string
  readonly highlighted: string
  readonly logos: string
}

/** Where the server will look for the files of a network. */
export function toPaths(networksDir: string, name: string): NetworkPaths {
  const listDir = join(networksDir, 'lists', name)
  return {
    network: join(networksDir, `${name}.json`),
    assets: join(listDir, 'assets.json'),
    highlighted: join(listDir, 'highlighted.json'),
    logos: join(listDir, 'logos'),
  }
}

/** Those that are there and would be replaced. */
export function listExisting({ network, assets, highlighted }: NetworkPaths): string[] {
  return [network, assets, highlighted].filter((path) => existsSync(path))
}

/** How an editor finds a schema from a file: a path from its folder, with slashes. */
export function toSchemaPath(file: string, schemasDir: string, schema: string): string {
  return relative(dirname(file), join(schemasDir, schema)).replaceAll('\\', '/')
}

export type NetworkFiles = { readonly network: NetworkFile; readonly list: FirstList }

/** Writes all files, the network file last: without it there is no network. Each is whole or as it was. */
export function writeFiles(paths: NetworkPaths, files: NetworkFiles): void {
  mkdirSync(paths.logos, { recursive: true })
  write(paths.assets, files.list.assets)
  write(paths.highlighted, files.list.highlighted)
  write(paths.network, files.network)
}

function write(path: string, value: unknown): void {
  const partial = `${path}.partial`
  writeFileSync(partial, `${JSON.stringify(value, null, 2)}\n`)
  renameSync(partial, path)
}

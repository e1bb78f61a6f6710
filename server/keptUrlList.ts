import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { Type } from 'typebox'
import { Compile } from 'typebox/compile'
import { listedMax, type TokenListEntry, tokenSchema } from './market/tokenList.ts'

const keptSchema = Type.Object({
  url: Type.String(),
  etag: Type.Optional(Type.String()),
  tokens: Type.Array(tokenSchema, { maxItems: listedMax }),
})
const keptCheck = Compile(keptSchema)

/** A list of the web as it was taken last: a restart while its server is down has it. `etag`: absent where it has to be read in full. */
export type KeptUrlList = { readonly url: string; readonly etag?: string; readonly tokens: readonly TokenListEntry[] }

/** Undefined: none of this URL, or none that can be read. */
export function readKeptList(path: string, url: string): KeptUrlList | undefined {
  try {
    const kept: unknown = JSON.parse(readFileSync(path, 'utf8'))
    return keptCheck.Check(kept) && kept.url === url ? kept : undefined
  } catch {
    return undefined
  }
}

/** Whole or not at all, whenever the process ends. */
export function writeKeptList(path: string, kept: KeptUrlList): void {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(`${path}.new`, JSON.stringify(kept))
  renameSync(`${path}.new`, path)
}

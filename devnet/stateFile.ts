// The kept chain: one file, a line of JSON about it and then the node's state, packed. Replaced as a whole or not at all.
import { createHash } from 'node:crypto'
import { mkdir, open, readFile, rename } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable, Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { constants, createGunzip, createGzip } from 'node:zlib'
import { createTraceStripper } from './stripTraces.ts'

/** What the chain was made from: when something else is asked for, it is made anew. */
export type Recipe = {
  readonly version: number
  readonly seed: string
  readonly history: 'full' | 'short'
  /** SHA-256 of the recording's file, empty without one. */
  readonly replay: string
}

export type StateAbout = {
  readonly recipe: Recipe
  readonly genesisSeconds: number
  readonly replay?: { readonly shiftSeconds: number; readonly rows: number }
}

export type FoundState =
  | { readonly kind: 'none' }
  | { readonly kind: 'damaged'; readonly reason: string }
  | { readonly kind: 'found'; readonly about: StateAbout; readonly state: Buffer }

type Header = { readonly note: string; readonly about: StateAbout; readonly bytes: number; readonly sha256: string }

const note = 'State of the local chain. Delete this file for a new one.'
const headerBytesMax = 4_096

/** Where a folder keeps the chain. */
export function statePath(folder: string): string {
  return join(folder, 'chain.state')
}

/** Reads and checks the kept chain; never throws for what is in the file. */
export async function findState(folder: string): Promise<FoundState> {
  const file = await readFile(statePath(folder)).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined
    throw error
  })
  if (!file) return { kind: 'none' }
  const end = file.subarray(0, headerBytesMax).indexOf('\n')
  if (end < 0) return { kind: 'damaged', reason: 'its first line is missing' }
  try {
    const header: unknown = JSON.parse(file.subarray(0, end).toString())
    if (!isHeader(header)) return { kind: 'damaged', reason: 'its first line lacks a field' }
    const state = file.subarray(end + 1)
    if (state.length !== header.bytes) return { kind: 'damaged', reason: `${state.length} bytes instead of ${header.bytes}` }
    if (sha256(state) !== header.sha256) return { kind: 'damaged', reason: 'its checksum is wrong' }
    return { kind: 'found', about: header.about, state }
  } catch (error) {
    return { kind: 'damaged', reason: `its first line cannot be read: ${error instanceof Error ? error.message : error}` }
  }
}

function isHeader(value: unknown): value is Header {
  if (typeof value !== 'object' || value === null) return false
  const { about, bytes, sha256: checksum }: { about?: unknown; bytes?: unknown; sha256?: unknown } = value
  return isAbout(about) && typeof bytes === 'number' && typeof checksum === 'string'
}

function isAbout(value: unknown): value is StateAbout {
  if (typeof value !== 'object' || value === null) return false
  const { recipe, genesisSeconds }: { recipe?: unknown; genesisSeconds?: unknown } = value
  return typeof recipe === 'object' && recipe !== null && typeof genesisSeconds === 'number'
}

/** Moves a file that cannot be used out of the way, over the one moved before it. */
export async function putAside(folder: string): Promise<string> {
  const aside = `${statePath(folder)}.damaged`
  await rename(statePath(folder), aside)
  return aside
}

/** Puts the state in place of the one before; until the very end that one stays, afterwards the new one survives a power cut. */
export async function writeState(folder: string, about: StateAbout, state: Buffer): Promise<void> {
  await mkdir(folder, { recursive: true })
  const header: Header = { note, about, bytes: state.length, sha256: sha256(state) }
  const path = statePath(folder)
  const file = await open(`${path}.new`, 'w')
  try {
    await file.write(`${JSON.stringify(header)}\n`)
    await file.write(state)
    await file.sync()
  } finally {
    await file.close()
  }
  await rename(`${path}.new`, path)
  const place = await open(folder)
  await place.sync().finally(() => place.close())
}

/**
 * The state to keep from a node's dump: the same without its traces, a third of the size.
 * @param dump as `anvil_dumpState` answers: hex of gzipped JSON
 */
export async function repackDump(dump: string): Promise<Buffer> {
  const pieces: Buffer[] = []
  const collect = new Writable({
    write(piece: Buffer, _encoding, done) {
      pieces.push(piece)
      done()
    },
  })
  const unpack = createGunzip({ chunkSize: 1 << 20 })
  await pipeline(
    Readable.from([Buffer.from(dump.slice(2), 'hex')]),
    unpack,
    createTraceStripper(),
    createGzip({ level: constants.Z_BEST_SPEED }),
    collect,
  )
  return Buffer.concat(pieces)
}

/** In hexadecimal. */
export function sha256(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex')
}

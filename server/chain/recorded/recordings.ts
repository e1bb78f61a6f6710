import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Address, Hex } from '@chainboard/core'
import type { ChainRange } from '../chain.ts'
import { type Piece, packRanges, parseFileName, toFileName, toPiece, unpackRanges } from './pieceFile.ts'

/** What ranges were read from, and which logs of it. Other ones have a folder of their own. */
export type RecordingKey = {
  readonly chainId: number
  readonly genesis: string
  readonly factory: Address
  readonly topics: readonly Hex[]
  /** Names the contracts that were asked for. */
  readonly wanted: string
}

export type RecordingOptions = {
  readonly folder: string
  /** Of all files in the folder together. */
  readonly bytesMax: number
  readonly log: { warn(facts: object, text: string): void }
}

/** A half-written file of a process that was killed is removed when it is so old: a younger one may be another server's. */
const partialMsMax = 3_600_000
/** Another server may write to the folder, too: it is measured again after so many pieces. */
const measureEvery = 64

/** Answers of nodes on disk, in pieces of some ranges each. What fails here is said once, and costs nothing but that nodes are asked. */
export type Recordings = {
  /** Pieces of what this key names, by their first block. */
  list(key: RecordingKey): Piece[]
  /** @returns undefined for a piece that is gone or damaged: a damaged one is removed */
  read(key: RecordingKey, piece: Piece): Promise<ChainRange[] | undefined>
  /** Another number after every `dropAfter`. */
  mark(): number
  /**
   * Writes ranges that follow each other as one piece, whole or not at all.
   * @param since the mark when the first of them came: not written where something was removed since, which they may be of
   */
  put(key: RecordingKey, ranges: readonly ChainRange[], since: number): Promise<void>
  drop(key: RecordingKey, piece: Piece): void
  /** Removes what has a block after this one, whichever branch and contracts it was read of. */
  dropAfter(chain: Pick<RecordingKey, 'chainId' | 'factory'>, block: number): void
}

/** Makes folders only when the first piece is written, and never throws. */
export function createRecordings({ folder, bytesMax, log }: RecordingOptions): Recordings {
  const say = sayOnce(log)
  const files = createRemover(say)
  let removals = 0
  let isOff = false
  let partials = 0
  /** Of the folder, as it was measured last, and what was written since. */
  let bytes = 0
  /** Writing again would fail again, and again. */
  const turnOff = (facts: object, text: string) => {
    isOff = true
    say(facts, text)
  }
  const folderOf = (key: RecordingKey) => join(folder, toFolderName(key))
  const fileOf = (key: RecordingKey, piece: Piece) => join(folderOf(key), toFileName(piece))

  return {
    list: (key) =>
      listFiles(folderOf(key))
        .filter((name) => !files.isGone(join(folderOf(key), name)))
        .flatMap((name) => parseFileName(name) ?? [])
        .sort((a, b) => a.from - b.from || b.to - a.to),
    read: async (key, piece) => {
      const file = fileOf(key, piece)
      const ranges = await readRanges(file, piece)
      if (ranges === 'gone') return undefined
      if (!ranges) {
        files.remove(file)
        say({ file }, 'A recorded response in RPC_CACHE is damaged: the server removes it and reads it from the node again')
      }
      return ranges
    },
    mark: () => removals,
    put: async (key, ranges, since) => {
      const piece = toPiece(ranges)
      if (isOff || !piece) return
      const partial = join(folderOf(key), `${process.pid}-${partials}.partial`)
      if (partials % measureEvery === 0) bytes = measure(folder)
      partials += 1
      try {
        const packed = await packRanges(ranges)
        bytes += packed.length
        if (bytes > bytesMax)
          return turnOff({ folder, bytesMax }, 'RPC_CACHE has reached its size limit: the server records no more responses')
        mkdirSync(folderOf(key), { recursive: true, mode: 0o700 })
        await writeFile(partial, packed, { mode: 0o600, flush: true })
        if (since !== removals) return files.remove(partial)
        renameSync(partial, fileOf(key, piece))
        files.isBack(fileOf(key, piece))
      } catch (err) {
        turnOff({ err }, 'The server cannot write to RPC_CACHE: it records nothing until the next start')
        if (existsSync(partial)) files.remove(partial)
      }
    },
    drop: (key, piece) => files.remove(fileOf(key, piece)),
    dropAfter: ({ chainId, factory }, block) => {
      removals += 1
      for (const name of listFiles(folder).filter((each) => each.startsWith(`${chainId}-${factory}-`)))
        for (const file of listFiles(join(folder, name)))
          if ((parseFileName(file)?.to ?? -1) > block) files.remove(join(folder, name, file))
    },
  }
}

type Say = (facts: object, text: string) => void

/** Logs each text once. */
function sayOnce(log: RecordingOptions['log']): Say {
  const said = new Set<string>()
  return (facts, text) => {
    if (!said.has(text)) log.warn(facts, text)
    said.add(text)
  }
}

/** Removes files, and remembers them: also those that the folder does not let go. */
function createRemover(say: Say) {
  const gone = new Set<string>()
  return {
    remove(file: string): void {
      gone.add(file)
      try {
        rmSync(file, { force: true })
      } catch (err) {
        say({ err }, 'A file in RPC_CACHE cannot be removed: the server ignores it until the next start')
      }
    },
    isGone: (file: string) => gone.has(file),
    /** It was written again. */
    isBack: (file: string) => void gone.delete(file),
  }
}

/** @returns `gone` where there is no such file; undefined for one that is damaged or cannot be read */
function readRanges(file: string, piece: Piece): Promise<ChainRange[] | 'gone' | undefined> {
  return readFile(file).then(
    (bytes) => unpackRanges(bytes, piece).catch(() => undefined),
    (error: NodeJS.ErrnoException) => (error.code === 'ENOENT' ? 'gone' : undefined),
  )
}

function toFolderName({ chainId, genesis, factory, topics, wanted }: RecordingKey): string {
  const rest = createHash('sha256')
    .update(JSON.stringify([genesis, topics, wanted]))
    .digest('hex')
  return `${chainId}-${factory}-${rest.slice(0, 16)}`
}

/** Names of files in a folder; none of one that is not there or cannot be read. */
function listFiles(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}

/** Bytes of all that is recorded, of whatever server. Half-written files of processes that are gone are removed. */
function measure(folder: string): number {
  let bytes = 0
  for (const name of listFiles(folder))
    for (const file of listFiles(join(folder, name))) {
      const path = join(folder, name, file)
      const found = statSync(path, { throwIfNoEntry: false })
      const isLeft = file.endsWith('.partial') && found && Date.now() - found.mtimeMs > partialMsMax
      if (isLeft) rmSync(path, { force: true })
      else bytes += found?.size ?? 0
    }
  return bytes
}

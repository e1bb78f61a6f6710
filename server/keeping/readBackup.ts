import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { createGunzip } from 'node:zlib'
import { Failure, messageOf } from '@chainboard/core'
import type { TableRow } from '../store/tableRows.ts'
import { type BackupHeader, type BackupTable, BrokenBackup, decodeEnd, decodeHeader, decodeRow } from './backupFormat.ts'
import { isSystemError } from './systemError.ts'

/** No line of ours comes near; a file of one endless line is refused instead of filling the memory. */
const lineLengthMax = 16 * 1024 * 1024
const rowsPerBatch = 1_000

/** Reads the header alone. @throws Failure `request-invalid` when the file is not there or is no backup */
export async function readHeader(file: string): Promise<BackupHeader> {
  return judged(file, async () => {
    for await (const line of readLines(file)) return decodeHeader(line)
    throw new BrokenBackup('it is empty')
  })
}

/**
 * Reads a backup from its beginning to its end, and compares rows and checksum with what its last line says. Rows are handed
 * out before that is known: read once without `onRows` before using them.
 * @throws Failure `request-invalid` when the file is truncated or damaged
 */
export async function readBackup(
  file: string,
  onRows: (table: BackupTable, rows: readonly TableRow[]) => Promise<void>,
): Promise<BackupHeader> {
  // What `onRows` throws is no trouble of the file.
  const outside: { error?: unknown } = {}
  const handOn = (table: BackupTable, rows: readonly TableRow[]) =>
    onRows(table, rows).catch((error: unknown) => {
      outside.error = error
      throw error
    })
  return judged(file, () => readAll(readLines(file), handOn), outside)
}

async function readAll(
  lines: AsyncGenerator<string, void>,
  onRows: (table: BackupTable, rows: readonly TableRow[]) => Promise<void>,
): Promise<BackupHeader> {
  const hash = createHash('sha256')
  const next = async () => {
    const { value, done } = await lines.next()
    if (done) throw new BrokenBackup('it ends too early')
    return value
  }
  const nextHashed = async () => {
    const line = await next()
    hash.update(`${line}\n`)
    return line
  }
  const header = decodeHeader(await nextHashed())
  let rows = 0
  for (const table of header.tables) {
    for (let left = table.rows; left > 0; ) {
      const batch: TableRow[] = []
      for (const size = Math.min(left, rowsPerBatch); batch.length < size; ) batch.push(decodeRow(await nextHashed(), table))
      await onRows(table, batch)
      left -= batch.length
      rows += batch.length
    }
  }
  const end = decodeEnd(await next())
  if (end.rows !== rows) throw new BrokenBackup(`it should have ${end.rows} rows and has ${rows}`)
  if (end.sha256 !== hash.digest('hex')) throw new BrokenBackup('its checksum does not match')
  if (!(await lines.next()).done) throw new BrokenBackup('there is data after its end')
  return header
}

async function* readLines(file: string): AsyncGenerator<string, void> {
  const source = createReadStream(file)
  const gunzip = createGunzip()
  source.once('error', (error) => gunzip.destroy(error))
  let rest = ''
  try {
    for await (const chunk of source.pipe(gunzip).setEncoding('utf8')) {
      const lines = `${rest}${chunk}`.split('\n')
      rest = lines.pop() ?? ''
      if (rest.length > lineLengthMax) throw new BrokenBackup('a line in it has no end')
      yield* lines
    }
    if (rest) throw new BrokenBackup('its last line has no end')
  } finally {
    source.destroy()
    gunzip.destroy()
  }
}

async function judged<T>(file: string, work: () => Promise<T>, outside: { error?: unknown } = {}): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof Failure || (outside.error !== undefined && error === outside.error)) throw error
    const code = isSystemError(error) ? error.code : undefined
    const message = messageOf(error)
    if (code === 'ENOENT') throw new Failure('request-invalid', `There is no file ${file}.`)
    if (code === 'EACCES' || code === 'EISDIR') throw new Failure('request-invalid', `${file} cannot be read (${message}).`)
    throw new Failure(
      'request-invalid',
      `${file} is not a complete backup (${message}). Nothing was restored: use another one.`,
      {
        cause: error,
      },
    )
  }
}

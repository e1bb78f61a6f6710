import { finished, type Readable } from 'node:stream'
import { setTimeout as pause } from 'node:timers/promises'
import { stripVTControlCharacters } from 'node:util'

/** So many, and no longer, that the end of a run stays on one screen. */
const linesMax = 15
const lineLengthMax = 300
const keptMax = linesMax * lineLengthMax * 4
/** For what a program printed before its end to arrive; another one that it started may hold its streams for ever. */
const waitMsMax = 1_000

/**
 * Prints what a program prints, and keeps the end of it.
 * @returns its last lines, once it has ended: without colours and empty ones, long ones cut
 */
export function keepTail(streams: readonly (Readable | null)[]): () => Promise<string[]> {
  let text = ''
  const open = streams.filter((stream) => stream !== null)
  for (const stream of open)
    stream.setEncoding('utf8').on('data', (part: string) => {
      process.stderr.write(part)
      text = (text + part).slice(-keptMax)
    })
  const ended = Promise.all(open.map((stream) => new Promise<void>((done) => finished(stream, () => done()))))
  return async () => {
    const late = new AbortController()
    await Promise.race([ended, pause(waitMsMax, undefined, { signal: late.signal })])
    late.abort()
    const lines = stripVTControlCharacters(text)
      .split('\n')
      .map((line) => line.trimEnd())
    return lines
      .filter((line) => line !== '')
      .slice(-linesMax)
      .map((line) => line.slice(0, lineLengthMax))
  }
}

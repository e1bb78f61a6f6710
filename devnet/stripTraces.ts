import { Transform } from 'node:stream'
import { DevnetFault } from './devnetFault.ts'

const head = Buffer.from('"traces":[')
const tail = Buffer.from('],"exit":')

/**
 * Empties the call traces of every transaction in the node's state dump (JSON text, unpacked): nine tenths of it, and of
 * the memory and time it costs to load. Blocks, transactions, receipts and logs stay; only `debug_` and `trace_` calls miss something.
 * Works on the stream, whatever the sizes of its pieces, and fails when a trace does not end.
 */
export function createTraceStripper(): Transform {
  let rest: Buffer = Buffer.alloc(0)
  let skipping = false
  return new Transform({
    transform(piece: Buffer, _encoding, done) {
      let at = 0
      const text = Buffer.concat([rest, piece])
      for (;;) {
        const mark = skipping ? tail : head
        const found = text.indexOf(mark, at)
        if (found < 0) break
        if (!skipping) this.push(text.subarray(at, found + head.length))
        at = skipping ? found : found + head.length
        skipping = !skipping
      }
      // What may be the beginning of the next mark waits for the next piece.
      const keepFrom = Math.max(at, text.length - head.length)
      if (!skipping) this.push(text.subarray(at, keepFrom))
      rest = text.subarray(keepFrom)
      done()
    },
    flush(done) {
      if (skipping) return done(new DevnetFault('the state dump ends inside a trace'))
      this.push(rest)
      done()
    },
  })
}

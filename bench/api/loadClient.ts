// Sends requests over kept connections as fast as they are answered, one at a time on each. It is a process of its own, so that it
// uses another core than the server.
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { NotMeasured } from '../notMeasured.ts'
import type { Load, Loaded } from './measure.ts'

const headEnd = Buffer.from('\r\n\r\n')

process.on('message', (load: Load) => {
  void drive(load).then((loaded) => process.send?.(loaded))
})

async function drive({ port, requests, connections, ms, startAtMs = 0 }: Load): Promise<Loaded> {
  await sleep(Math.max(0, startAtMs - Date.now()))
  const statuses: Record<string, number> = {}
  let [bytes, next] = [0, 0]
  const startMs = performance.now()
  const line = (index: number) =>
    new Promise<void>((resolve, reject) => {
      const socket = connect({ port, host: '127.0.0.1', noDelay: true })
      let waiting: Buffer = Buffer.alloc(0)
      const ask = () => {
        if (performance.now() - startMs >= ms) return socket.destroy()
        next += 1
        socket.write(requests[(next + index) % requests.length] ?? '')
      }
      socket.on('connect', ask)
      socket.on('data', (chunk: Buffer) => {
        waiting = waiting.length === 0 ? chunk : Buffer.concat([waiting, chunk])
        const end = waiting.indexOf(headEnd)
        if (end < 0) return
        const head = waiting.toString('latin1', 0, end)
        const status = head.slice(9, 12)
        const length = Number(/\r\ncontent-length: *(\d+)/i.exec(head)?.[1] ?? (status === '304' ? 0 : Number.NaN))
        if (Number.isNaN(length)) return socket.destroy(new NotMeasured(`An answer without its length: ${head}`))
        if (waiting.length < end + headEnd.length + length) return
        statuses[status] = (statuses[status] ?? 0) + 1
        bytes += length
        waiting = Buffer.alloc(0)
        ask()
      })
      socket.on('error', reject)
      socket.on('close', () => resolve())
    })
  await Promise.all(Array.from({ length: connections }, (_, index) => line(index)))
  return { statuses, bytes, ms: performance.now() - startMs }
}

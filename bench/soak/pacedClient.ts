// Sends requests at a steady rate over kept connections, in a process of its own. A slow answer does not delay the next request. With
// too many requests waiting, the next ones are not sent, and counted as late.
import { Agent, get } from 'node:http'
import type { Pace, Paced } from './pace.ts'

const connections = 32
const tickMs = 20
const queueMax = 1_000

const agent = new Agent({ keepAlive: true, maxSockets: connections })
const statuses: Record<string, number> = {}
const startMs = performance.now()
let [asked, open, key] = [0, 0, '']
let paths: readonly string[] = []

process.on('message', (word: Pace | 'report') => {
  if (word === 'report') return void process.send?.({ statuses, ms: performance.now() - startMs } satisfies Paced)
  paths = word.paths.map((path) => word.url + path)
  key = word.key
  if (word.perSecond === undefined) for (let line = 0; line < connections; line += 1) askOn()
  else setInterval(askPaced, tickMs, word.perSecond)
  return undefined
})
process.on('disconnect', () => process.exit(0))

function askPaced(perSecond: number): void {
  const due = Math.floor(((performance.now() - startMs) / 1_000) * perSecond)
  while (asked < due) {
    if (open < queueMax) ask(() => undefined)
    else count('late')
    asked += 1
  }
}

function askOn(): void {
  ask(askOn)
  asked += 1
}

function ask(then: () => void): void {
  open += 1
  const done = (status: string) => {
    open -= 1
    count(status)
    then()
  }
  const url = paths[asked % paths.length] ?? ''
  get(url, { agent, headers: { 'x-api-key': key } }, (answer) =>
    answer.resume().once('end', () => done(String(answer.statusCode))),
  ).once('error', ({ message }) => done(message))
}

function count(status: string): void {
  statuses[status] = (statuses[status] ?? 0) + 1
}

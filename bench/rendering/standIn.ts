// A thread that computes as much as the one that draws, as often, and touches nothing: what it does to prices is what two cores do.
import { setTimeout as sleep } from 'node:timers/promises'
import { parentPort, workerData } from 'node:worker_threads'

/** Processor time of each turn, in milliseconds, and the pause after it. */
export type StandInPlace = { readonly computeMs: number; readonly everyMs: number }

const { computeMs, everyMs }: StandInPlace = workerData
const stepsBetweenLooks = 2_000
let stopped = false
parentPort?.once('message', () => {
  stopped = true
})
let sum = 0
while (!stopped) {
  const before = process.threadCpuUsage()
  let usedMs = 0
  while (usedMs < computeMs) {
    for (let step = 0; step < stepsBetweenLooks; step += 1) sum = Math.imul(sum, 31) + step
    const { user, system } = process.threadCpuUsage(before)
    usedMs = (user + system) / 1_000
  }
  await sleep(everyMs)
}
parentPort?.postMessage(sum)

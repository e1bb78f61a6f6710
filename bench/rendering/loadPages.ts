// A thread of visitors, apart from the one that takes the time of prices: the home page, and searches as fast as the server draws them.
import { setTimeout as sleep } from 'node:timers/promises'
import { parentPort, workerData } from 'node:worker_threads'

export type LoadPlace = { readonly url: string }

const everyMs = 100
const { url }: LoadPlace = workerData
const counts = { drawn: 0, empty: 0 }
let stopped = false
parentPort?.once('message', () => {
  stopped = true
})
const ask = async (path: string) => {
  const answer = await fetch(`${url}${path}`)
  if ((await answer.text()).includes('id="drawn"')) counts.drawn += 1
  else counts.empty += 1
}
while (!stopped) {
  await Promise.all([ask('/'), ask(`/?q=${Date.now().toString(36)}`)])
  await sleep(everyMs)
}
parentPort?.postMessage(counts)

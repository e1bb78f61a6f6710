// A thread of visitors, apart from the one that takes the time of prices: the home page, and searches as fast as the server draws them.
import { Agent, get } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { parentPort, workerData } from 'node:worker_threads'

export type LoadPlace = { readonly url: string; readonly everyMs: number }

const { url, everyMs }: LoadPlace = workerData
const counts = { drawn: 0, empty: 0 }
const agent = new Agent({ keepAlive: true })
// As browsers ask that reach a server by HTTPS. What comes is not unpacked: visitors do that on machines of their own.
const options = { agent, headers: { 'accept-encoding': 'gzip, deflate, br' } }
let stopped = false
parentPort?.once('message', () => {
  stopped = true
})
const ask = (path: string) =>
  new Promise<void>((resolve, reject) => {
    get(new URL(path, url), options, (response) => {
      // The rules of a drawn page are named by their hash.
      if (response.headers['content-security-policy']?.includes("'sha256-")) counts.drawn += 1
      else counts.empty += 1
      response.resume().on('end', resolve)
    }).on('error', reject)
  })
while (!stopped) {
  await Promise.all([ask('/'), ask(`/?q=${Date.now().toString(36)}`)])
  await sleep(everyMs)
}
agent.destroy()
parentPort?.postMessage(counts)

import { Agent, get } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import { NotMeasured } from '../notMeasured.ts'
import type { LoadPlace } from './loadPages.ts'

/** Milliseconds of each price, alone and while pages are drawn; and how many pages came drawn and empty. */
export type PriceTimes = { readonly alone: readonly number[]; readonly beside: readonly number[]; readonly pages: PageCounts }
export type PageCounts = { readonly drawn: number; readonly empty: number }

type Plan = {
  readonly url: string
  readonly key: string
  readonly addresses: readonly string[]
  readonly rounds: number
  readonly roundMs: number
}

const everyMs = 4
const listingMsMax = 5_000

/** Asks for prices over one kept connection, in turns with and without visitors for whom pages are drawn. @throws NotMeasured for another status than 200 */
export async function measurePrices(plan: Plan): Promise<PriceTimes> {
  const [alone, beside]: [number[], number[]] = [[], []]
  const pages = { drawn: 0, empty: 0 }
  await timePrices(plan)
  for (let round = 0; round < plan.rounds; round += 1) {
    // Whatever slows the machine down in time slows both.
    const turns = round % 2 === 0 ? [alone, beside] : [beside, alone]
    for (const times of turns) {
      const load = times === beside ? startLoad(plan.url) : undefined
      times.push(...(await timePrices(plan)))
      const counts = await load?.stop()
      pages.drawn += counts?.drawn ?? 0
      pages.empty += counts?.empty ?? 0
    }
  }
  return { alone, beside, pages }
}

async function timePrices({ url, key, addresses, roundMs }: Plan): Promise<number[]> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const ask = (address: string) =>
    new Promise<void>((resolve, reject) => {
      const options = { agent, headers: { 'x-api-key': key } }
      get(new URL(`/api/v1/prices/${address}`, url), options, (response) => {
        response.resume()
        response.on('end', () =>
          response.statusCode === 200 ? resolve() : reject(new NotMeasured(`A price answered ${response.statusCode}`)),
        )
      }).on('error', reject)
    })
  const times: number[] = []
  const endMs = performance.now() + roundMs
  for (let i = 0; performance.now() < endMs; i += 1) {
    const from = performance.now()
    await ask(addresses[i % addresses.length] ?? '')
    times.push(performance.now() - from)
    await sleep(everyMs)
  }
  agent.destroy()
  return times
}

function startLoad(url: string): { stop(): Promise<PageCounts> } {
  const place: LoadPlace = { url }
  const worker = new Worker(new URL('./loadPages.ts', import.meta.url), { workerData: place })
  const counted = new Promise<PageCounts>((resolve, reject) => {
    worker.once('message', (counts: PageCounts) => resolve(counts))
    worker.once('error', reject)
  })
  return {
    stop: async () => {
      worker.postMessage('stop')
      const counts = await Promise.race([counted, sleep(listingMsMax)])
      await worker.terminate()
      if (!counts) throw new NotMeasured('The visitors did not end')
      return counts
    },
  }
}

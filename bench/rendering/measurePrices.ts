import { Agent, get } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import { NotMeasured } from '../notMeasured.ts'
import type { LoadPlace } from './loadPages.ts'
import type { StandInPlace } from './standIn.ts'

/**
 * Milliseconds of each price: alone; beside a thread that computes as much as the one that draws; while pages are drawn; and while the first
 * pages are drawn, for which nothing is compiled yet. `pages`: how many came drawn and empty.
 */
export type PriceTimes = {
  readonly alone: readonly number[]
  readonly standIn: readonly number[]
  readonly beside: readonly number[]
  readonly first: readonly number[]
  readonly pages: PageCounts
}
export type PageCounts = { readonly drawn: number; readonly empty: number }

type Plan = {
  readonly url: string
  readonly key: string
  readonly addresses: readonly string[]
  readonly rounds: number
  readonly roundMs: number
  /** What the thread that draws needs for a search. */
  readonly drawMs: number
}

const everyMs = 4
const visitEveryMs = 100
const endMsMax = 5_000

/**
 * Asks for prices over one kept connection, in turns: alone, beside the stand-in, and with visitors for whom pages are drawn. Before that
 * the server warms up to both, prices and pages. @throws NotMeasured for another status than 200
 */
export async function measurePrices(plan: Plan): Promise<PriceTimes> {
  const [alone, standIn, beside]: [number[], number[], number[]] = [[], [], []]
  const pages = { drawn: 0, empty: 0 }
  await timePrices(plan)
  const firstVisitors = startVisitors(plan)
  const first = await timePrices(plan)
  await timePrices(plan)
  await firstVisitors.stop()
  for (let round = 0; round < plan.rounds; round += 1) {
    // Whatever slows the machine down in time slows all.
    const turns = round % 2 === 0 ? [alone, standIn, beside] : [beside, standIn, alone]
    for (const times of turns) {
      const visitors = times === beside ? startVisitors(plan) : undefined
      const computing = times === standIn ? startStandIn(plan) : undefined
      times.push(...(await timePrices(plan)))
      const counts = await visitors?.stop()
      await computing?.stop()
      pages.drawn += counts?.drawn ?? 0
      pages.empty += counts?.empty ?? 0
    }
  }
  return { alone, standIn, beside, first, pages }
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

function startVisitors({ url }: Plan) {
  const place: LoadPlace = { url, everyMs: visitEveryMs }
  return startThread<PageCounts>('loadPages.ts', place)
}

function startStandIn({ drawMs }: Plan) {
  const place: StandInPlace = { computeMs: drawMs, everyMs: visitEveryMs }
  return startThread<number>('standIn.ts', place)
}

/** A thread that runs until `stop`, which returns its result. */
function startThread<T>(file: string, place: LoadPlace | StandInPlace): { stop(): Promise<T> } {
  const worker = new Worker(new URL(file, import.meta.url), { workerData: place })
  const ended = new Promise<T>((resolve, reject) => {
    worker.once('message', resolve)
    worker.once('error', reject)
  })
  return {
    stop: async () => {
      worker.postMessage('stop')
      const word = await Promise.race([ended, sleep(endMsMax)])
      await worker.terminate()
      if (word === undefined) throw new NotMeasured(`${file} did not end`)
      return word
    },
  }
}

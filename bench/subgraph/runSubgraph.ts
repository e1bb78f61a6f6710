import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { Type } from 'typebox'
import { openStore } from '../../server/store/openStore.ts'
import type { StoreLocation } from '../../server/store/storeLocation.ts'
import { forkChild, makeFolder, removeFolder } from '../children.ts'
import { createHttpClient } from '../httpClient.ts'
import { measureSection, outOption } from '../measureSection.ts'
import { NotMeasured } from '../notMeasured.ts'
import { parseCount } from '../parseCount.ts'
import { type Postgres, startPostgres } from '../postgres.ts'
import { receive } from '../receive.ts'
import { startServer } from '../startServer.ts'
import { fillStore } from './fillStore.ts'
import { type Times, timeGraphql, timeSql } from './measure.ts'
import { openRaw } from './openRaw.ts'
import { heavyQuery, listQuestions } from './queries.ts'
import { type AnswerTimes, type BesideTimes, toSection } from './report.ts'

export const usage = `npm run bench -- subgraph [--swaps n] [--calls n] [--out file]
  --swaps  in the pool (default 1000000)
  --calls  of each query, in each way (default 1000)
  --out    the document with the section "Subgraph" (default docs/benchmarks.md)`

const swapsMax = 10_000_000
const callsMax = 100_000
const warmUpCalls = 50
const daysFilled = 31
const startMsMax = 60_000
const listeningMessage = Type.Object({ listening: Type.String() })
/** Price calls during the heavy queries, and the pause between two of them. */
const priceCalls = 400
const priceEveryMs = 20

/** Compares GraphQL with SQL, and prices with and without heavy queries. @throws CheckFailed at an answer with other rows than the store's */
export async function run(args: string[], signal: AbortSignal): Promise<void> {
  const { swaps, calls, out } = parseOptions(args)
  await measureSection({ name: 'subgraph', args, out }, async (measuring) => {
    const folder = makeFolder('subgraph')
    const postgres = await startPostgres(signal)
    try {
      const endSeconds = Math.floor(Date.now() / 1_000)
      const answers: AnswerTimes[] = []
      for (const place of await listPlaces(folder, postgres)) {
        console.log(`${place.name}: filling a store with ${swaps} swaps`)
        const store = await openStore(place.location)
        await fillStore(store, { swaps, days: daysFilled, endSeconds })
        await store.close()
        answers.push(...(await measureAnswers(place, { calls, endSeconds, signal })))
      }
      console.log('Prices beside heavy queries')
      const beside = await measureBeside(folder, signal)
      return toSection({ ...measuring, postgres: postgres?.version, swaps, calls, answers, beside })
    } finally {
      await postgres?.stop()
      removeFolder(folder)
    }
  })
}

function parseOptions(args: string[]) {
  const { values } = parseArgs({
    args,
    options: {
      swaps: { type: 'string', default: '1000000' },
      calls: { type: 'string', default: '1000' },
      out: outOption,
    },
  })
  const toCount = (option: 'swaps' | 'calls', max: number) => parseCount({ option, text: values[option], max })
  return { swaps: toCount('swaps', swapsMax), calls: toCount('calls', callsMax), out: values.out }
}

type Place = { readonly name: string; readonly location: StoreLocation }

async function listPlaces(folder: string, postgres: Postgres | undefined): Promise<Place[]> {
  const places: Place[] = [{ name: 'SQLite', location: { file: join(folder, 'devnet', 'chainboard.db') } }]
  if (postgres) places.push({ name: 'PostgreSQL', location: { databaseUrl: await postgres.createDatabase('subgraph') } })
  return places
}

async function measureAnswers(
  { name, location }: Place,
  { calls, endSeconds, signal }: { calls: number; endSeconds: number; signal: AbortSignal },
): Promise<AnswerTimes[]> {
  const server = forkChild('the subgraph', resolve(import.meta.dirname, 'serveGraph.ts'), [JSON.stringify(location)])
  const { listening: url } = await receive(server, listeningMessage, { what: 'the subgraph', msMax: startMsMax, signal })
  const raw = await openRaw(location)
  try {
    const answers: AnswerTimes[] = []
    for (const question of listQuestions(endSeconds)) {
      await timeGraphql(url, question, warmUpCalls)
      await timeSql(raw, question, warmUpCalls)
      console.log(`${name}: ${question.name}`)
      const graphql = await timeGraphql(url, question, calls)
      answers.push({ question: question.name, store: name, graphql, sql: await timeSql(raw, question, calls) })
    }
    return answers
  } finally {
    await raw.close()
    await server.stop()
  }
}

/** The whole server on the filled SQLite store: the token list's times alone, and while heavy queries run one after the other. */
async function measureBeside(folder: string, signal: AbortSignal): Promise<BesideTimes> {
  const env = { RPC_URL: 'http://127.0.0.1:9', DATA_DIR: folder, LOG_LEVEL: 'silent' }
  const { server, url } = await startServer(env, { until: 'listening', signal })
  try {
    const [prices, queries] = [createHttpClient(url), createHttpClient(url)]
    const heavy: number[] = []
    const askHeavy = async () => {
      const from = performance.now()
      const { body } = await queries.post('/subgraph', JSON.stringify(heavyQuery))
      if (!body.startsWith('{"data"')) throw new NotMeasured(`the heavy query: ${body.slice(0, 200)}`)
      heavy.push(performance.now() - from)
    }
    await askHeavy()
    await timePrices(prices.get)
    const alone = await timePrices(prices.get)
    heavy.length = 0
    let done = false
    const running = (async () => {
      while (!done) await askHeavy()
    })()
    const beside = await timePrices(prices.get)
    done = true
    await running
    prices.close()
    queries.close()
    return { alone, beside, heavy }
  } finally {
    await server.stop()
  }
}

async function timePrices(get: (path: string) => Promise<{ status: number }>): Promise<Times> {
  const times: number[] = []
  for (let i = 0; i < priceCalls; i += 1) {
    const from = performance.now()
    const { status } = await get('/assets.json')
    if (status !== 200) throw new NotMeasured(`/assets.json answered ${status}`)
    times.push(performance.now() - from)
    await new Promise((resolve) => setTimeout(resolve, priceEveryMs))
  }
  return times
}

import { CheckFailed } from '../checkFailed.ts'
import { createHttpClient, type HttpClient } from '../httpClient.ts'
import type { RawDatabase } from './openRaw.ts'
import type { Question } from './queries.ts'

/** Milliseconds of each call, in order. */
export type Times = readonly number[]

/** Asks over HTTP, one call after the other over one kept connection. @throws CheckFailed at an answer with other rows */
export async function timeGraphql(url: string, { name, graphql, rows }: Question, calls: number): Promise<Times> {
  const client = createHttpClient(url)
  try {
    return await timeEach(calls, async () => checkAnswer(name, await client.post('/subgraph', JSON.stringify(graphql)), rows))
  } finally {
    client.close()
  }
}

/** Runs the SQL and writes its rows as JSON, one call after the other. */
export function timeSql({ engine, run }: RawDatabase, { name, sql, parameters, rows }: Question, calls: number): Promise<Times> {
  return timeEach(calls, async () => {
    const found = await run(sql[engine], parameters)
    JSON.stringify(found)
    if (found.length !== rows) throw new CheckFailed(`${name}: ${found.length} rows of SQL, expected ${rows}`)
  })
}

async function timeEach(calls: number, call: () => Promise<void>): Promise<Times> {
  const times: number[] = []
  for (let i = 0; i < calls; i += 1) {
    const from = performance.now()
    await call()
    times.push(performance.now() - from)
  }
  return times
}

function checkAnswer(name: string, { status, body }: Awaited<ReturnType<HttpClient['get']>>, rows: number): void {
  const { data = {} }: { data?: Readonly<Record<string, unknown>> } = JSON.parse(body)
  const [list] = Object.values(data)
  const found = Array.isArray(list) ? list.length : undefined
  if (status !== 200 || found !== rows) throw new CheckFailed(`${name}: ${found} rows, expected ${rows}: ${body.slice(0, 200)}`)
}

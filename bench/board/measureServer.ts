import { Agent, get } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { NotMeasured } from '../notMeasured.ts'

/** One request, repeated: milliseconds to the last byte of each answer, and the bytes of the last one. */
export type Question = { readonly name: string; readonly times: readonly number[]; readonly bytes: number }

const pageSize = 10
const calls = 60
const everyMs = 50
/** Every block changes the whole list: over several blocks. */
const listCalls = 20
const listEveryMs = 400

/** Times the requests of the page and of others, over one kept connection each. @throws NotMeasured for another status than 200 */
export async function measureServer(url: string, tokens: number, searches: readonly string[]): Promise<Question[]> {
  const spread = (i: number) => searches[i % searches.length] ?? ''
  const pages = Math.ceil(tokens / pageSize)
  const page = (rest: string) => `/assets.json?pageSize=${pageSize}${rest}`
  return [
    await ask(url, {
      name: 'a page of a search',
      path: (i) => page(`&sort=fdmcDesc&page=1&search=${spread(i)}`),
      compressed: true,
    }),
    await ask(url, { name: 'a page by name', path: (i) => page(`&sort=nameAsc&page=${(i % pages) + 1}`), compressed: true }),
    await ask(url, { name: 'the whole list, compressed', path: () => '/assets.json', compressed: true, whole: true }),
    await ask(url, { name: 'the whole list, uncompressed', path: () => '/assets.json', compressed: false, whole: true }),
    await askBeside(url, (i) => page(`&sort=fdmcDesc&page=1&search=${spread(i)}`)),
  ]
}

type Asked = {
  readonly name: string
  readonly path: (i: number) => string
  readonly compressed: boolean
  readonly whole?: boolean
}

async function ask(url: string, { name, path, compressed, whole = false }: Asked): Promise<Question> {
  const client = createClient(url, compressed)
  const times: number[] = []
  let bytes = 0
  for (let i = 0; i < (whole ? listCalls : calls); i += 1) {
    const from = performance.now()
    bytes = await client.ask(path(i))
    times.push(performance.now() - from)
    await sleep(whole ? listEveryMs : everyMs)
  }
  client.close()
  return { name, times, bytes }
}

/** Pages while another client loads the whole list without a pause. */
async function askBeside(url: string, path: (i: number) => string): Promise<Question> {
  const greedy = createClient(url, true)
  let done = false
  const asking = (async () => {
    while (!done) await greedy.ask('/assets.json')
  })()
  const question = await ask(url, {
    name: 'a page of a search, while another client loads the whole list',
    path,
    compressed: true,
  })
  done = true
  await asking
  greedy.close()
  return question
}

function createClient(url: string, compressed: boolean) {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const headers = compressed ? { 'accept-encoding': 'br' } : {}
  return {
    ask: (path: string) =>
      new Promise<number>((resolve, reject) => {
        get(new URL(path, url), { agent, headers }, (response) => {
          let bytes = 0
          response.on('data', (chunk: Buffer) => {
            bytes += chunk.length
          })
          response.on('error', reject)
          response.on('end', () =>
            response.statusCode === 200 ? resolve(bytes) : reject(new NotMeasured(`${path} answered ${response.statusCode}`)),
          )
        }).on('error', reject)
      }),
    close: () => agent.destroy(),
  }
}

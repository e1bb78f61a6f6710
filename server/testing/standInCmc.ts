import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A coin as the listing has it: `id`, `slug` and `symbol` are looked at, the rest is passed on. */
export type StandInCoin = { readonly id: number; readonly slug: string; readonly symbol: string } & Record<string, unknown>
/** A DEX pair: its address is looked at, the rest is passed on. */
export type StandInPair = { readonly contract_address: string } & Record<string, unknown>

export type StandInReply = { readonly status: number; readonly headers?: Record<string, string>; readonly body: unknown }

export type StandInCmc = {
  readonly url: string
  readonly coins: StandInCoin[]
  readonly pairs: StandInPair[]
  /** Replies that come next instead of its own, first one first; 'hang' never answers, 'cut' drops the connection. */
  readonly next: (StandInReply | 'hang' | 'cut')[]
  /** Path and query of every call, oldest first. */
  readonly calls: string[]
  /** Credits of all calls that were answered well. */
  creditsSpent(): number
  /** Stops answering, on the same port, until told otherwise: connections are refused. */
  setDown(down: boolean): Promise<void>
  close(): Promise<void>
}

type Options = {
  readonly apiKey: string
  /** DEX networks that are supported, by slug. */
  readonly networks?: readonly string[]
  /** Whether the v2 listing refuses a whole list for one unknown name when told not to skip it, or always. */
  readonly strict?: boolean
  readonly nowMs?: () => number
}

const urlLengthMax = 2_000

/**
 * A real HTTP server on loopback that speaks as CoinMarketCap does: v1 and v2 of the listing, v4 of the DEX pairs, with its
 * errors, its credits, and its habit of keying answers by what was asked for.
 */
export async function startStandInCmc(options: Options): Promise<StandInCmc> {
  const coins: StandInCoin[] = []
  const pairs: StandInPair[] = []
  const next: StandInCmc['next'] = []
  const calls: string[] = []
  let credits = 0
  const server = createServer((request, response) => {
    calls.push(request.url ?? '')
    const instead = next.shift()
    if (instead === 'hang') return
    if (instead === 'cut') return void request.socket.destroy()
    const reply = instead ?? answer(request, { ...options, coins, pairs })
    if ('credits' in reply) credits += Number(reply.credits)
    send(response, reply)
  })
  const listen = (port: number) => new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  const end = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve())
      server.closeAllConnections()
    })
  await listen(0)
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    coins,
    pairs,
    next,
    calls,
    creditsSpent: () => credits,
    setDown: (down) => (down ? end() : listen(port)),
    close: async () => (server.listening ? end() : undefined),
  }
}

function send(response: ServerResponse, { status, headers = {}, body }: StandInReply): void {
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  response
    .writeHead(status, { 'Content-Type': typeof body === 'string' ? 'text/html' : 'application/json', ...headers })
    .end(text)
}

type World = Options & { readonly coins: readonly StandInCoin[]; readonly pairs: readonly StandInPair[] }
type Answer = StandInReply & { readonly credits?: number }

function answer(request: IncomingMessage, world: World): Answer {
  const url = new URL(request.url ?? '', 'http://stand-in')
  const dex = url.pathname === '/v4/dex/pairs/quotes/latest'
  const refuse = (status: number, code: number, message: string): Answer => {
    const error_code = dex ? String(code) : code
    return { status, body: { status: { ...toStatus(world), error_code, error_message: message, credit_count: 0 } } }
  }
  const key = request.headers['x-cmc_pro_api_key']
  if (!key) return refuse(401, 1002, 'API key missing.')
  if (key !== world.apiKey) return refuse(401, 1001, 'This API Key is invalid.')
  if (dex && (request.url ?? '').length > urlLengthMax)
    return { status: 414, body: '<html><h1>414 Request-URI Too Large</h1></html>' }
  if (dex) return answerPairs(url.searchParams, world, refuse)
  const version = /^\/(v1|v2)\/cryptocurrency\/quotes\/latest$/.exec(url.pathname)?.[1]
  return version ? answerListed(url.searchParams, { ...world, version }, refuse) : refuse(404, 404, 'Not Found')
}

type Refuse = (status: number, code: number, message: string) => Answer

const nameFields = { id: /^\d+(,\d+)*$/, slug: /^[0-9a-z-]+(,[0-9a-z-]+)*$/, symbol: /^[^,]+(,[^,]+)*$/ } as const

function answerListed(query: URLSearchParams, world: World & { readonly version: string }, refuse: Refuse): Answer {
  const given = (['id', 'slug', 'symbol'] as const).filter((field) => query.has(field))
  const by = given[0]
  if (!by || given.length > 1) return refuse(400, 400, '"value" must contain at least one of [id, symbol, slug]')
  const text = query.get(by) ?? ''
  if (!nameFields[by].test(text)) return refuse(400, 400, `"${by}" should only include comma-separated values`)
  const names = [...new Set(text.split(','))]
  const named = Map.groupBy(world.coins, (coin) => String(coin[by]).toLowerCase())
  const listNamed = (name: string) => named.get(name.toLowerCase()) ?? []
  const unknown = names.filter((name) => listNamed(name).length === 0)
  const skips = !world.strict && (query.get('skip_invalid') ?? String(world.version === 'v2')) === 'true'
  if (unknown.length > 0 && !skips)
    return refuse(400, 400, `Invalid value${unknown.length > 1 ? 's' : ''} for "${by}": "${unknown.join(',')}"`)
  const found = names.flatMap((name) => listNamed(name).map((coin) => ({ name, coin })))
  const data: Record<string, unknown> = {}
  for (const { name, coin } of found) {
    const symbol = name.toUpperCase()
    if (by !== 'symbol') data[String(coin.id)] = coin
    else if (world.version === 'v1') data[symbol] = coin
    else data[symbol] = [...((data[symbol] as unknown[] | undefined) ?? []), coin]
  }
  const credits = Math.max(1, Math.ceil(found.length / 100))
  const status = { ...toStatus(world), error_code: 0, error_message: null, credit_count: credits, notice: null }
  return { status: 200, body: { status, data }, credits }
}

function answerPairs(query: URLSearchParams, world: World, refuse: Refuse): Answer {
  const slug = (query.get('network_slug') ?? '').toLowerCase()
  if (!world.networks?.includes(slug)) return refuse(400, 400, 'network is not supported')
  const asked = (query.get('contract_address') ?? '').split(',')
  if (asked.some((address) => address.length > 42)) return refuse(400, 400, 'Invalid value for "contract_address"')
  const wanted = new Set(asked.map((address) => address.toLowerCase()))
  const data = world.pairs.filter(({ contract_address }) => wanted.has(contract_address.toLowerCase()))
  const status = { ...toStatus(world), error_code: '0', error_message: 'SUCCESS', credit_count: asked.length }
  return { status: 200, body: { data, status }, credits: asked.length }
}

function toStatus({ nowMs = Date.now }: World) {
  return { timestamp: new Date(nowMs()).toISOString(), elapsed: 1 }
}

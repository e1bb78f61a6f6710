import { once } from 'node:events'
import { type RawData, type WebSocket, WebSocketServer } from 'ws'

// WalletConnect's relay on this machine: JSON-RPC over WebSockets, as wallets and sites of the protocol's version 2 use it (`irn_…`, and
// `wc_…` for the two ends of a pairing). It keeps messages that nobody subscribed to, as the real one does.

const messagesMax = 1_000
const payloadBytesMax = 1_000_000

type Message = { readonly topic: string; readonly message: string; readonly tag: number; readonly publishedAt: number }
type Params = Readonly<Record<string, unknown>>

/** How it treats those that connect: `silent` answers no request, `garbage` sends what is no message before each answer. */
export type RelayMood = 'fair' | 'silent' | 'garbage'

export type WalletRelay = {
  readonly url: string
  /** What clients asked of it, in order: the method and its params. */
  readonly calls: readonly { readonly method: string; readonly params: Params }[]
  /** The query of each connection. */
  readonly connections: readonly URLSearchParams[]
  /** How many clients are connected, or those that name this among what they run on. */
  readonly clients: (platform?: string) => number
  /** From now on whoever connects is treated like this. */
  readonly turn: (mood: RelayMood) => void
  /** Nobody is connected any more, and nobody can connect, until it is mended. */
  readonly cut: () => void
  readonly mend: () => void
  /** Messages are taken, and neither acknowledged nor passed on until they are let go. */
  readonly hold: () => void
  readonly letGo: () => void
  /** Sends something to the client that came last, whatever it is. */
  readonly shout: (text: string) => void
  readonly stop: () => Promise<void>
}

/** Who is subscribed to what, and messages for nobody. */
function createTopics() {
  const topics = new Map<WebSocket, Set<string>>()
  const mailbox: Message[] = []
  let lastId = 0

  function deliver(socket: WebSocket, data: Message): void {
    lastId += 1
    const params = { id: `subscription-${data.topic}`, data }
    socket.send(JSON.stringify({ jsonrpc: '2.0', id: lastId, method: 'irn_subscription', params }))
  }

  return {
    enter: (socket: WebSocket) => topics.set(socket, new Set()),
    leave: (socket: WebSocket) => topics.delete(socket),
    newest: () => [...topics.keys()].at(-1),
    all: () => [...topics.keys()],
    /** Subscribes without what was sent before. */
    join: (socket: WebSocket, topic: string) => topics.get(socket)?.add(topic),
    publish(from: WebSocket, topic: string, message: unknown, tag: number): void {
      const data: Message = { topic, message: String(message), tag, publishedAt: Date.now() }
      const others = [...topics].filter(([socket, known]) => socket !== from && known.has(topic))
      for (const [socket] of others) deliver(socket, data)
      if (others.length === 0 && mailbox.length < messagesMax) mailbox.push(data)
    },
    subscribe(socket: WebSocket, topic: string): string {
      topics.get(socket)?.add(topic)
      for (const message of mailbox.filter((each) => each.topic === topic)) {
        mailbox.splice(mailbox.indexOf(message), 1)
        deliver(socket, message)
      }
      return `subscription-${topic}`
    },
    unsubscribe: (socket: WebSocket, topic: string) => topics.get(socket)?.delete(topic) ?? false,
  }
}

type Topics = ReturnType<typeof createTopics>

/** @returns undefined for a method that the relay does not know */
function answer(topics: Topics, socket: WebSocket, method: string, params: Params): unknown {
  const text = (name: string) => String(params[name])
  const named = Array.isArray(params['topics']) ? params['topics'].map(String) : []
  switch (method) {
    case 'irn_subscribe':
      return topics.subscribe(socket, text('topic'))
    case 'irn_batchSubscribe':
      return named.map((each) => topics.subscribe(socket, each))
    case 'irn_unsubscribe':
      return topics.unsubscribe(socket, text('topic'))
    case 'irn_publish':
      topics.publish(socket, text('topic'), params['message'], Number(params['tag']))
      return true
    case 'irn_fetchMessages':
    case 'irn_batchFetchMessages':
      return { messages: [], hasMore: false }
    case 'wc_proposeSession':
      topics.join(socket, text('pairingTopic'))
      topics.publish(socket, text('pairingTopic'), params['sessionProposal'], 1100)
      return true
    case 'wc_approveSession':
      topics.join(socket, text('sessionTopic'))
      topics.publish(socket, text('pairingTopic'), params['sessionProposalResponse'], 1101)
      topics.publish(socket, text('sessionTopic'), params['sessionSettlementRequest'], 1102)
      return true
    default:
      return undefined
  }
}

/** Listens on a free port of this machine. */
export async function startWalletRelay(): Promise<WalletRelay> {
  let isCut = false
  let held: (() => void)[] | undefined
  const server = new WebSocketServer({
    host: '127.0.0.1',
    port: 0,
    maxPayload: payloadBytesMax,
    verifyClient: () => !isCut,
  })
  await once(server, 'listening')
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  const calls: WalletRelay['calls'][number][] = []
  const connections: URLSearchParams[] = []
  const topics = createTopics()
  const agents = new Map<WebSocket, string>()
  let mood: RelayMood = 'fair'

  server.on('connection', (socket, request) => {
    const query = new URL(request.url ?? '/', 'ws://127.0.0.1').searchParams
    const treated = mood
    connections.push(query)
    topics.enter(socket)
    agents.set(socket, query.get('ua') ?? '')
    socket.on('close', () => topics.leave(socket) && agents.delete(socket))
    socket.on('message', (text: RawData) => {
      const { id, method, params = {} } = JSON.parse(String(text)) as { id: unknown; method?: string; params?: Params }
      // What has no method is a receipt for a message.
      if (method === undefined || treated === 'silent') return
      calls.push({ method, params })
      if (held && method === 'irn_publish') return void held.push(() => respond(id, method, params))
      respond(id, method, params)
    })
    const respond = (id: unknown, method: string, params: Params) => {
      if (treated === 'garbage') for (const junk of garbage) socket.send(junk)
      socket.send(JSON.stringify({ jsonrpc: '2.0', id, result: answer(topics, socket, method, params) }))
    }
  })

  return {
    url: `ws://127.0.0.1:${port}`,
    calls,
    connections,
    clients: (platform = '') => [...agents.values()].filter((agent) => agent.includes(platform)).length,
    turn(next) {
      mood = next
    },
    cut() {
      isCut = true
      for (const socket of topics.all()) socket.terminate()
    },
    mend() {
      isCut = false
    },
    hold() {
      held = []
    },
    letGo() {
      const all = held ?? []
      held = undefined
      for (const respond of all) respond()
    },
    shout: (text) => topics.newest()?.send(text),
    async stop() {
      for (const socket of topics.all()) socket.terminate()
      await new Promise<void>((resolve) => server.close(() => resolve()))
    },
  }
}

/** What is no JSON, no message, for nobody, and in no known language. */
const garbage = [
  '{',
  '"irn_subscription"',
  'null',
  '[]',
  JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'irn_subscription' }),
  JSON.stringify({
    jsonrpc: '2.0',
    id: 2,
    method: 'irn_subscription',
    params: { id: 'x', data: { topic: 'x', message: 'AAAA' } },
  }),
  JSON.stringify({ jsonrpc: '2.0', id: 3, result: true }),
]

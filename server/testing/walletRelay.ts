import { once } from 'node:events'
import { type RawData, type WebSocket, WebSocketServer } from 'ws'

// WalletConnect's relay on this machine: JSON-RPC over WebSockets, as wallets and sites of the protocol's version 2 use it (`irn_…`, and
// `wc_…` for the two ends of a pairing). It keeps messages that nobody subscribed to, as the real one does.

const messagesMax = 1_000

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
  /** Sends something to the client that came last, whatever it is. */
  readonly shout: (text: string) => void
  readonly stop: () => Promise<void>
}

/** @param port a free one when absent */
export async function startWalletRelay(port = 0): Promise<WalletRelay> {
  const server = new WebSocketServer({ host: '127.0.0.1', port, maxPayload: 1_000_000 })
  await once(server, 'listening')
  const address = server.address()
  const bound = typeof address === 'object' && address !== null ? address.port : port
  const calls: WalletRelay['calls'][number][] = []
  const connections: URLSearchParams[] = []
  const topics = new Map<WebSocket, Set<string>>()
  const agents = new Map<WebSocket, string>()
  const mailbox: Message[] = []
  let mood: RelayMood = 'fair'
  let lastId = 0

  function deliver(socket: WebSocket, data: Message): void {
    lastId += 1
    const params = { id: `subscription-${data.topic}`, data }
    socket.send(JSON.stringify({ jsonrpc: '2.0', id: lastId, method: 'irn_subscription', params }))
  }

  function publish(from: WebSocket, topic: string, message: unknown, tag: number): void {
    const data: Message = { topic, message: String(message), tag, publishedAt: Date.now() }
    const others = [...topics].filter(([socket, known]) => socket !== from && known.has(topic))
    for (const [socket] of others) deliver(socket, data)
    if (others.length === 0 && mailbox.length < messagesMax) mailbox.push(data)
  }

  function subscribe(socket: WebSocket, topic: string): string {
    topics.get(socket)?.add(topic)
    const kept = mailbox.filter((message) => message.topic === topic)
    for (const message of kept) {
      mailbox.splice(mailbox.indexOf(message), 1)
      deliver(socket, message)
    }
    return `subscription-${topic}`
  }

  function answer(socket: WebSocket, method: string, params: Params): unknown {
    const topic = String(params['topic'])
    const named = Array.isArray(params['topics']) ? params['topics'].map(String) : []
    switch (method) {
      case 'irn_subscribe':
        return subscribe(socket, topic)
      case 'irn_batchSubscribe':
        return named.map((each) => subscribe(socket, each))
      case 'irn_unsubscribe':
        return topics.get(socket)?.delete(topic) ?? false
      case 'irn_publish':
        publish(socket, topic, params['message'], Number(params['tag']))
        return true
      case 'irn_fetchMessages':
      case 'irn_batchFetchMessages':
        return { messages: [], hasMore: false }
      case 'wc_proposeSession':
        topics.get(socket)?.add(String(params['pairingTopic']))
        publish(socket, String(params['pairingTopic']), params['sessionProposal'], 1100)
        return true
      case 'wc_approveSession':
        topics.get(socket)?.add(String(params['sessionTopic']))
        publish(socket, String(params['pairingTopic']), params['sessionProposalResponse'], 1101)
        publish(socket, String(params['sessionTopic']), params['sessionSettlementRequest'], 1102)
        return true
      default:
        return undefined
    }
  }

  server.on('connection', (socket, request) => {
    const query = new URL(request.url ?? '/', 'ws://127.0.0.1').searchParams
    const treated = mood
    connections.push(query)
    topics.set(socket, new Set())
    agents.set(socket, query.get('ua') ?? '')
    socket.on('close', () => topics.delete(socket) && agents.delete(socket))
    socket.on('message', (text: RawData) => {
      const { id, method, params = {} } = JSON.parse(String(text)) as { id: unknown; method?: string; params?: Params }
      // What has no method is a receipt for a message.
      if (method === undefined || treated === 'silent') return
      calls.push({ method, params })
      if (treated === 'garbage') for (const junk of garbage) socket.send(junk)
      socket.send(JSON.stringify({ jsonrpc: '2.0', id, result: answer(socket, method, params) }))
    })
  })

  return {
    url: `ws://127.0.0.1:${bound}`,
    calls,
    connections,
    clients: (platform = '') => [...agents.values()].filter((agent) => agent.includes(platform)).length,
    turn(next) {
      mood = next
    },
    shout(text) {
      ;[...topics.keys()].at(-1)?.send(text)
    },
    async stop() {
      for (const [socket] of topics) socket.terminate()
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

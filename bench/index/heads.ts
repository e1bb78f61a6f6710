import { within } from '../waiting.ts'

export type Heads = {
  /** `performance.now()` at which the node said it had this block; waits for the word if there was none yet. */
  announcedAt(block: number): Promise<number>
  close(): void
}

type Message = {
  readonly id?: number
  readonly result?: unknown
  readonly params?: { readonly result?: { readonly number?: string } }
}

const answerMsMax = 10_000

/** Listens to the node's own word of new blocks, which it sends by itself: nobody's looking for blocks delays it. */
export async function followHeads(rpcUrl: string, signal: AbortSignal): Promise<Heads> {
  const announced = new Map<number, PromiseWithResolvers<number>>()
  const entryOf = (block: number) => {
    const entry = announced.get(block) ?? Promise.withResolvers<number>()
    announced.set(block, entry)
    return entry
  }
  const socket = new WebSocket(rpcUrl.replace(/^http/, 'ws'))
  const subscribed = Promise.withResolvers<void>()
  socket.addEventListener('error', () => subscribed.reject(new Error('the node offers no WebSocket')))
  socket.addEventListener('open', () =>
    socket.send(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_subscribe', params: ['newHeads'] })),
  )
  socket.addEventListener('message', ({ data }) => {
    const at = performance.now()
    const { id, result, params } = JSON.parse(String(data)) as Message
    if (id === 1) result ? subscribed.resolve() : subscribed.reject(new Error('the node announces no blocks'))
    if (params?.result?.number) entryOf(Number(params.result.number)).resolve(at)
  })
  await within(subscribed.promise, { what: "the node's word of new blocks", msMax: answerMsMax, signal })
  return {
    announcedAt: (block) => within(entryOf(block).promise, { what: `word of block ${block}`, msMax: answerMsMax, signal }),
    close: () => socket.close(),
  }
}

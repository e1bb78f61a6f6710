import { Type } from 'typebox'
import { parseJson } from '../checkShape.ts'
import { NotMeasured } from '../notMeasured.ts'
import { within } from '../waiting.ts'

/** When a node announced its blocks. */
export type Heads = {
  /** `performance.now()` of the announcement of a block; waits for it. @throws NotMeasured after 10 s */
  announcedAt(block: number): Promise<number>
  close(): void
}

const messageSchema = Type.Object({
  id: Type.Optional(Type.Integer()),
  result: Type.Optional(Type.Unknown()),
  params: Type.Optional(Type.Object({ result: Type.Object({ number: Type.String() }) })),
})

const answerMsMax = 10_000

/** Subscribes to the node's new blocks: polling would add a delay. @throws NotMeasured when the node does not support it */
export async function followHeads(rpcUrl: string, signal: AbortSignal): Promise<Heads> {
  const announced = new Map<number, PromiseWithResolvers<number>>()
  const entryOf = (block: number) => {
    const entry = announced.get(block) ?? Promise.withResolvers<number>()
    announced.set(block, entry)
    return entry
  }
  const socket = new WebSocket(rpcUrl.replace(/^http/, 'ws'))
  const subscribed = Promise.withResolvers<void>()
  socket.addEventListener('error', () => subscribed.reject(new NotMeasured('the node offers no WebSocket')))
  socket.addEventListener('open', () =>
    socket.send(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_subscribe', params: ['newHeads'] })),
  )
  socket.addEventListener('message', ({ data }) => {
    const at = performance.now()
    const { id, result, params } = parseJson(messageSchema, String(data), 'A message of the node')
    if (id === 1) result ? subscribed.resolve() : subscribed.reject(new NotMeasured('the node announces no blocks'))
    if (params) entryOf(Number(params.result.number)).resolve(at)
  })
  await within(subscribed.promise, { what: 'the subscription to new blocks', msMax: answerMsMax, signal })
  return {
    announcedAt: (block) =>
      within(entryOf(block).promise, { what: `the announcement of block ${block}`, msMax: answerMsMax, signal }),
    close: () => socket.close(),
  }
}

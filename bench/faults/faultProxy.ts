import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { type Static, Type } from 'typebox'
import { parseJson } from '../checkShape.ts'
import { NotMeasured } from '../notMeasured.ts'

const callSchema = Type.Object({
  id: Type.Union([Type.Integer(), Type.String()]),
  method: Type.String(),
  params: Type.Optional(Type.Array(Type.Unknown())),
})
const bodySchema = Type.Union([callSchema, Type.Array(callSchema)])
const answerSchema = Type.Object({
  result: Type.Optional(Type.Unknown()),
  error: Type.Optional(Type.Object({ code: Type.Integer(), message: Type.String() })),
})

/** One call of JSON-RPC. */
export type RpcCall = { readonly id: number | string; readonly method: string; readonly params: readonly unknown[] }
/** The real node's result of a call. @throws RpcRefusal where it refuses */
export type Honest = (method: string, params: readonly unknown[]) => Promise<unknown>
/** One request with its calls, and where its answer goes. */
export type Exchange = { readonly calls: readonly RpcCall[]; readonly isBatch: boolean; readonly response: ServerResponse }

/** What is wrong with a node for a while. Absent fields change nothing. */
export type NodeFault = {
  /** Gets each request first. @returns true when it was answered, or never will be */
  readonly wire?: (exchange: Exchange) => Promise<boolean> | boolean
  /** The result of one call. @throws RpcRefusal for an error of JSON-RPC */
  readonly call?: (call: RpcCall, honest: Honest) => Promise<unknown>
  /** The whole body, changed. */
  readonly text?: (text: string, exchange: Exchange) => string
}

/** A node whose fault can be set. */
export type FaultProxy = { readonly url: string; set(fault: NodeFault | undefined): void; close(): Promise<void> }

/** An error of JSON-RPC, as a node answers it. */
export class RpcRefusal extends Error {
  readonly code: number
  constructor(code: number, message: string) {
    super(message)
    this.name = 'RpcRefusal'
    this.code = code
  }
}

/** A node on loopback that forwards everything to the real one, until a fault is set. */
export async function startFaultProxy(realUrl: string): Promise<FaultProxy> {
  let fault: NodeFault | undefined
  const server = createServer((request, response) => {
    serve(realUrl, fault, request, response).catch((error: unknown) => {
      if (!response.headersSent) response.writeHead(502)
      response.end(String(error))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (typeof address !== 'object' || address === null) throw new NotMeasured('The proxy has no port')
  return {
    url: `http://127.0.0.1:${address.port}`,
    set: (next) => {
      fault = next
    },
    close: () => {
      server.closeAllConnections()
      return new Promise((resolve) => server.close(() => resolve()))
    },
  }
}

async function serve(
  realUrl: string,
  fault: NodeFault | undefined,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const body = await readBody(request)
  const parsed = parseJson(bodySchema, body, 'A call of the server')
  const exchange: Exchange = { calls: [parsed].flat().map(toCall), isBatch: Array.isArray(parsed), response }
  if (await fault?.wire?.(exchange)) return
  const text = fault?.call ? await answerCalls(realUrl, fault.call, exchange) : await post(realUrl, body)
  if (response.destroyed) return
  response.writeHead(200, { 'content-type': 'application/json' })
  response.end(fault?.text ? fault.text(text, exchange) : text)
}

function toCall({ id, method, params = [] }: Static<typeof callSchema>): RpcCall {
  return { id, method, params }
}

async function answerCalls(realUrl: string, answer: NonNullable<NodeFault['call']>, exchange: Exchange): Promise<string> {
  const honest: Honest = async (method, params) => {
    const text = await post(realUrl, JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }))
    const { result, error } = parseJson(answerSchema, text, 'An answer of the node')
    if (error) throw new RpcRefusal(error.code, error.message)
    return result
  }
  const envelopes = exchange.calls.map(async (call) => {
    try {
      return { jsonrpc: '2.0', id: call.id, result: await answer(call, honest) }
    } catch (error) {
      if (!(error instanceof RpcRefusal)) throw error
      return { jsonrpc: '2.0', id: call.id, error: { code: error.code, message: error.message } }
    }
  })
  const answers = await Promise.all(envelopes)
  return JSON.stringify(exchange.isBatch ? answers : answers[0])
}

async function post(url: string, body: string): Promise<string> {
  const answer = await fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body })
  return answer.text()
}

async function readBody(request: IncomingMessage): Promise<string> {
  let text = ''
  for await (const chunk of request) text += chunk
  return text
}

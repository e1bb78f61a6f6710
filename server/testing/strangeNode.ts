import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export type RpcCall = { readonly id: number; readonly method: string; readonly params: readonly unknown[] }
type RpcAnswer = { result: unknown } | { error: { code: number; message: string } }

/** How a node in front of the real one is strange; what a field leaves out is as the real node has it. */
export type Strangeness = {
  /** Instead of any answer; `hang` never answers. */
  readonly http?: 'hang' | { readonly status: number; readonly body: string; readonly headers?: Readonly<Record<string, string>> }
  /** Instead of the answer to a batch. */
  readonly batch?: { readonly status: number; readonly body: string }
  /** Instead of the real node's answer to one call. */
  readonly answer?: (call: RpcCall) => RpcAnswer | undefined
  /** The real node's result, changed. */
  readonly change?: (call: RpcCall, result: unknown) => unknown
  /** Called with the calls of each request. */
  readonly onRequest?: (calls: readonly RpcCall[]) => void
  /** Headers of every answer, and of the answer to a browser's question before it. */
  readonly headers?: Readonly<Record<string, string>>
  readonly preflight?: Readonly<Record<string, string>>
}

export type StrangeNode = { readonly url: string; close(): Promise<void> }

/** A JSON-RPC server on loopback that hands calls on to a real node, but for what is strange about it. */
export async function startStrangeNode(realUrl: string, strangeness: Strangeness): Promise<StrangeNode> {
  const server = createServer((request, response) => void serve(realUrl, strangeness, request, response))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close: () => close(server) }
}

async function serve(realUrl: string, strange: Strangeness, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const body = JSON.parse((await readBody(request)) || 'null') as RpcCall | RpcCall[] | null
  if (strange.http === 'hang') return
  if (strange.http) {
    response.writeHead(strange.http.status, strange.http.headers).end(strange.http.body)
    return
  }
  if (request.method === 'OPTIONS' || !body) {
    response.writeHead(204, strange.preflight).end()
    return
  }
  if (Array.isArray(body) && strange.batch) {
    response.writeHead(strange.batch.status, { 'content-type': 'application/json' }).end(strange.batch.body)
    return
  }
  strange.onRequest?.([body].flat())
  const answers = await Promise.all([body].flat().map((call) => answerCall(realUrl, strange, call)))
  response.writeHead(200, { 'content-type': 'application/json', ...strange.headers })
  response.end(JSON.stringify(Array.isArray(body) ? answers : answers[0]))
}

async function answerCall(realUrl: string, { answer, change }: Strangeness, call: RpcCall): Promise<unknown> {
  const own = answer?.(call)
  if (own) return { jsonrpc: '2.0', id: call.id, ...own }
  const real = await fetch(realUrl, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ ...call, jsonrpc: '2.0' }),
  })
  const envelope = (await real.json()) as { result?: unknown }
  return change && 'result' in envelope ? { ...envelope, result: change(call, envelope.result) } : envelope
}

async function readBody(request: IncomingMessage): Promise<string> {
  let text = ''
  for await (const chunk of request) text += chunk
  return text
}

function close(server: Server): Promise<void> {
  server.closeAllConnections()
  return new Promise((resolve) => server.close(() => resolve()))
}

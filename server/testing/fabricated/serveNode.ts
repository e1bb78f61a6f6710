import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { RpcRefusal } from '../simulation/modelNode.ts'
import type { PublicNode } from './publicNode.ts'

type Asked = { readonly id: unknown; readonly method: string; readonly params: unknown }

const bodyBytesMax = 1_000_000

/** Puts a node on a port of its own of this machine, as JSON-RPC over HTTP, batches included. */
export async function serveNode(node: Pick<PublicNode, 'request'>): Promise<{ readonly url: string; stop(): Promise<void> }> {
  const server = createServer(async (request, response) => {
    // Who hangs up in the middle of its question gets no answer, and disturbs nobody else.
    const asked = await readBody(request).catch(() => undefined)
    if (!asked) return response.writeHead(413).end()
    const answers = await Promise.all([asked].flat().map((each) => answerOf(node, each)))
    return response
      .writeHead(200, { 'content-type': 'application/json' })
      .end(JSON.stringify(Array.isArray(asked) ? answers : answers[0]))
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    stop: () =>
      new Promise((stopped) => {
        server.closeAllConnections()
        server.close(() => stopped())
      }),
  }
}

async function readBody(request: IncomingMessage): Promise<Asked | Asked[] | undefined> {
  let text = ''
  for await (const chunk of request) {
    text += chunk
    if (text.length > bodyBytesMax) return undefined
  }
  // Of a client that went away there is no body, or a part of it.
  return request.complete ? (JSON.parse(text) as Asked | Asked[]) : undefined
}

async function answerOf(node: Pick<PublicNode, 'request'>, { id, method, params }: Asked) {
  try {
    return { jsonrpc: '2.0', id, result: await node.request(method, params) }
  } catch (error) {
    const { code, message } = error instanceof RpcRefusal ? error : { code: -32_603, message: String(error) }
    return { jsonrpc: '2.0', id, error: { code, message } }
  }
}

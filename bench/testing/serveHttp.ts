import { createServer, type RequestListener } from 'node:http'
import { onTestFinished } from 'vitest'

/** A server of a test on loopback, until the test ends. @returns its URL and port */
export async function serveHttp(listener: RequestListener): Promise<{ readonly url: string; readonly port: number }> {
  const server = createServer(listener)
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const address = server.address()
  const port = typeof address === 'object' && address ? address.port : 0
  return { url: `http://127.0.0.1:${port}`, port }
}

import { connect } from 'node:net'

/** Sends bytes as they are, and gives all that comes back until the line is closed. */
export function sendRaw(url: string, bytes: string): Promise<string> {
  const { hostname, port } = new URL(url)
  return new Promise((resolve, reject) => {
    let heard = ''
    const socket = connect(Number(port), hostname, () => socket.write(bytes, 'latin1'))
    socket.setEncoding('latin1').on('data', (chunk: string) => (heard += chunk))
    socket.on('error', (error: NodeJS.ErrnoException) => error.code === 'ECONNRESET' || reject(error))
    socket.on('close', () => resolve(heard))
  })
}

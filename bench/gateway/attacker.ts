// Leads one attack after each message with its orders, and reports what came of it. A process of its own, so that the site's own reads
// are measured without it.
import { Agent, request } from 'node:http'
import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { addressOf, type Led, type Orders, toBody } from './attack.ts'

/** A refused caller calls again at once a few times a second only: a loop of refusals would measure the attacker's processor. */
const refusedMs = 20

process.on('message', (orders: Orders) => {
  void (orders.name === 'sockets' ? hold(orders) : call(orders)).then((led) => process.send?.(led))
})

async function call({ url, name, ms, connections, addresses }: Orders): Promise<Led> {
  const agent = new Agent({ keepAlive: true, maxSockets: connections })
  const led: Led = { statuses: {}, errors: 0, bytes: 0 }
  const untilMs = performance.now() + ms
  let place = 0
  const line = async () => {
    while (performance.now() < untilMs) {
      place += 1
      const headers = { 'content-type': 'application/json', 'x-forwarded-for': addressOf(place % addresses) }
      const status = await new Promise<number>((done) => {
        const sent = request(`${url}/rpc`, { method: 'POST', agent, headers, timeout: ms }, (answer) => {
          let start = ''
          answer.on('data', (chunk: Buffer) => {
            led.bytes += chunk.length
            if (start.length < 200) start += chunk.toString('latin1')
          })
          answer.once('close', () => {
            if (start.includes('"error"')) led.errors += 1
            done(answer.statusCode ?? 0)
          })
        })
        sent.once('error', () => done(0))
        sent.end(toBody(name, place))
      })
      led.statuses[status] = (led.statuses[status] ?? 0) + 1
      if (status !== 200) await sleep(refusedMs)
    }
  }
  await Promise.all(Array.from({ length: connections }, line))
  agent.destroy()
  return led
}

/** Opens connections that send the beginning of a request and no more. Those that the server closes are opened again. */
async function hold({ url, ms, connections }: Orders): Promise<Led> {
  const { hostname, port } = new URL(url)
  const led: Led = { statuses: { opened: 0, closed: 0 }, errors: 0, bytes: 0 }
  const sockets = new Set<Socket>()
  const untilMs = performance.now() + ms
  const open = () => {
    const socket = connect(Number(port), hostname)
    sockets.add(socket)
    socket.once('connect', () => {
      led.statuses['opened'] = (led.statuses['opened'] ?? 0) + 1
      socket.write('POST /rpc HTTP/1.1\r\n')
    })
    socket.once('error', () => {
      led.errors += 1
    })
    socket.once('close', () => {
      sockets.delete(socket)
      led.statuses['closed'] = (led.statuses['closed'] ?? 0) + 1
    })
  }
  while (performance.now() < untilMs) {
    for (let i = 0; i < 200 && sockets.size < connections; i += 1) open()
    await sleep(50)
  }
  for (const socket of sockets) socket.destroy()
  return led
}

import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { countEnded, findLeader, readNumber, startNode, stopAll, untilStoredAbove, withClient } from './servers.ts'
import { failuresOf, type Stage, type Trial, toSpan } from './trial.ts'

/** A minute without nodes, and some seconds to notice and to take over. */
const blockMsMax = 80_000

/**
 * Takes the leader's way to its node away, while a second server has none either and a third one has one. @param times in turn, between the
 * first and the third server
 */
export async function measureHandOver(stage: Stage, times: number): Promise<Trial> {
  const databaseUrl = await stage.postgres.createDatabase('handover')
  const [first, third, never] = [await openWay(stage.rpcUrl), await openWay(stage.rpcUrl), await openWay(stage.rpcUrl)]
  never.close()
  const leader = await startNode({ ...stage, rpcUrl: first.url }, databaseUrl, { until: 'full' })
  const blind = await startNode({ ...stage, rpcUrl: never.url }, databaseUrl)
  const seeing = await startNode({ ...stage, rpcUrl: third.url }, databaseUrl)
  const nodes = [leader, blind, seeing]
  const tookMs: number[] = []
  const leaders: string[] = []
  await withClient(databaseUrl, async (client) => {
    for (let i = 0; i < times; i += 1) {
      const [way, other, wanted] = i % 2 === 0 ? ([first, third, seeing] as const) : ([third, first, leader] as const)
      other.open()
      way.close()
      const block = await readNumber(client, 'select block_number from sync_cursor')
      tookMs.push(await untilStoredAbove(client, block + 3, stage))
      const now = await findLeader(nodes, stage)
      leaders.push(now === wanted ? 'the one whose node answers' : 'another one')
      console.log(`hand-over ${i + 1}: ${tookMs.at(-1)?.toFixed(0)} ms, ${leaders.at(-1)} leads`)
    }
  })
  const ended = countEnded(nodes)
  await stopAll(nodes)
  for (const way of [first, third, never]) way.close()
  const wrong = leaders.filter((words) => words === 'another one').length
  return {
    rows: [
      ["The leader's node is gone, one of two others has one: until new blocks are stored", `${times}`, toSpan(tookMs)],
      ['… the one that has a node leads', '', `${times - wrong} of ${times}`],
    ],
    failures: failuresOf(
      [wrong > 0, `A server whose node does not answer led ${wrong} times`],
      [Math.max(...tookMs) > blockMsMax, `A hand-over took ${Math.max(...tookMs).toFixed(0)} ms`],
      [ended > 0, `${ended} servers ended by themselves`],
    ),
  }
}

/** A way to a node that can be closed and opened again. */
async function openWay(rpcUrl: string) {
  const { hostname, port } = new URL(rpcUrl)
  const sockets = new Set<Socket>()
  let isOpen = true
  const server = createServer((socket) => {
    if (!isOpen) return void socket.destroy()
    const to = connect(Number(port), hostname)
    for (const [one, other] of [[socket, to] as const, [to, socket] as const]) {
      sockets.add(one)
      one.on('error', () => other.destroy())
      one.on('close', () => {
        sockets.delete(one)
        other.destroy()
      })
      one.pipe(other)
    }
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  server.unref()
  const address: AddressInfo | string | null = server.address()
  return {
    url: `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`,
    open: () => {
      isOpen = true
    },
    close: () => {
      isOpen = false
      for (const socket of sockets) socket.destroy()
    },
  }
}

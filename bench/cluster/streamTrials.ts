import { setTimeout as sleep } from 'node:timers/promises'
import { watchTree } from '../processTree.ts'
import { percentile } from '../statistics.ts'
import { type Node, readFigure, startThree, stopAll, withClient } from './servers.ts'
import { failuresOf, type Stage, type Trial, toSpan } from './trial.ts'

const lagMsMax = { median: 25, p99: 250 } as const
const servingShareMax = 0.02

type Heard = { readonly place: number; readonly atMs: number }

/** Without visitors a server is watched for so long. */
const idleMs = 30_000
let clients = 0

/** Price events of a server's stream, in their order, until `signal` is aborted. Each call comes from another address. */
async function* listen({ url }: Pick<Node, 'url'>, lastEventId: string | undefined, signal: AbortSignal) {
  clients += 1
  const from = { 'x-forwarded-for': `10.${(clients >> 16) & 255}.${(clients >> 8) & 255}.${clients & 255}` }
  const headers = { ...from, ...(lastEventId !== undefined && { 'last-event-id': lastEventId }) }
  const { body, status } = await fetch(`${url}/api/v1/stream`, { headers, signal })
  if (status !== 200) throw new TypeError(`The stream answered ${status}`)
  let text = ''
  for await (const part of body?.pipeThrough(new TextDecoderStream()) ?? []) {
    const atMs = performance.now()
    const blocks = (text + part).split('\n\n')
    text = blocks.pop() ?? ''
    for (const block of blocks) {
      const [, id, name] = /id: (.+)\nevent: (.+)/.exec(block) ?? []
      if (id !== undefined) yield { id, name, place: Number(id.split('-')[1]), isResumed: block.includes('"resumed":true'), atMs }
    }
  }
}

/**
 * Follows so many boards on all servers at once: milliseconds from the commit of a board, as PostgreSQL tells it, until the last event of it
 * is with a reader of each server.
 */
export async function measureLag(stage: Stage, boards: number): Promise<Trial> {
  const { databaseUrl, nodes } = await startThree(stage, 'lag')
  const leads = await Promise.all(nodes.map((node) => readFigure(node, 'chainboard_leader')))
  return withClient(databaseUrl, async (client) => {
    const idle = nodes.map(({ child }) => watchTree(child.pid))
    const idleFromMs = performance.now()
    await sleep(idleMs)
    const idleSeconds = (performance.now() - idleFromMs) / 1_000
    const shares = idle.map((use, i) => (leads[i] === 1 ? 0 : (use.end()?.cpuSeconds ?? Number.NaN) / idleSeconds))
    const committedMs = new Map<number, number>()
    client.on('notification', ({ payload }) => committedMs.set(Number(payload), performance.now()))
    await client.query('listen chainboard_board')
    const ending = new AbortController()
    const heard = nodes.map((): Heard[] => [])
    const readers = nodes.map(async (node, i) => {
      for await (const { name, place: at, atMs } of listen(node, undefined, ending.signal))
        if (name !== 'ready') heard[i]?.push({ place: at, atMs })
    })
    for (const reader of readers) reader.catch(() => undefined)
    while (committedMs.size < boards && !stage.signal.aborted) await sleep(100)
    await sleep(500)
    ending.abort()
    const { rows } = await client.query<{ seq: string; last_place: string }>(
      'select seq, last_place from board_steps where events is not null',
    )
    const { bytes } = (await client.query<{ bytes: number }>('select length(body) as bytes from board')).rows[0] ?? { bytes: 0 }
    await stopAll(nodes)
    const lags = heard.map((events) => {
      const times = new Map(events.map(({ place: at, atMs }) => [at, atMs]))
      return rows.flatMap(({ seq, last_place }) => {
        const [begin, end] = [committedMs.get(Number(seq)), times.get(Number(last_place))]
        return begin === undefined || end === undefined ? [] : end - begin
      })
    })
    const of = (isLeader: boolean) => lags.filter((_, i) => (leads[i] === 1) === isLeader).flat()
    const [others, share] = [of(false), Math.max(...shares)]
    return {
      rows: [
        ['From the commit of a board until readers have its events, leader', `${of(true).length}`, toSpan(of(true))],
        ['… other servers', `${others.length}`, toSpan(others)],
        ['… bytes of a board, packed', `${committedMs.size}`, `${bytes}`],
        [
          'CPU of a server that only serves, without visitors',
          `${idleSeconds.toFixed(0)} s`,
          `${(share * 100).toFixed(1)} % of a core`,
        ],
      ],
      failures: failuresOf(
        [percentile(others, 50) > lagMsMax.median, `Boards took ${percentile(others, 50).toFixed(0)} ms at the median`],
        [percentile(others, 99) > lagMsMax.p99, `Boards took ${percentile(others, 99).toFixed(0)} ms at the 99th percentile`],
        [share > servingShareMax, `A server without visitors used ${(share * 100).toFixed(1)} % of a core`],
      ),
    }
  })
}

const readersMax = 30
/** A reader stays at a server for up to so long. */
const stayMsMax = 400

/** Readers that come back to another server each time, with the id of the last event that they heard. */
export async function measureReconnects(stage: Stage, wanted: number): Promise<Trial> {
  const { nodes } = await startThree(stage, 'reconnects')
  const totals = { reconnects: 0, events: 0, missed: 0, twice: 0, anew: 0 }
  const read = async (first: number) => {
    let last: { id: string; place: number } | undefined
    for (let turn = first; totals.reconnects < wanted && !stage.signal.aborted; turn += 1) {
      const node = nodes[turn % nodes.length]
      if (!node) return
      const stay = AbortSignal.timeout(20 + Math.floor(Math.random() * stayMsMax))
      try {
        for await (const { id, name, place: at, isResumed } of listen(node, last?.id, stay)) {
          if (name === 'ready') {
            if (last && !isResumed) totals.anew += 1
            last ??= { id, place: at }
            continue
          }
          totals.events += 1
          if (last && at <= last.place) totals.twice += 1
          else if (last && at > last.place + 1) totals.missed += at - last.place - 1
          last = { id, place: at }
        }
      } catch (error) {
        if (!stay.aborted) throw error
      }
      totals.reconnects += 1
    }
  }
  await Promise.all(Array.from({ length: readersMax }, (_, i) => read(i)))
  await stopAll(nodes)
  const { reconnects, events, missed, twice, anew } = totals
  return {
    rows: [
      ['Reconnects, each to another server', `${reconnects}`, `${events} events: ${missed} missed, ${twice} twice`],
      ['… that could not go on where they were', '', `${anew}`],
    ],
    failures: failuresOf([missed + twice > 0, `Readers missed ${missed} events, heard ${twice} twice`]),
  }
}

import { join } from 'node:path'
import { loadedSchema } from '../api/measure.ts'
import { forkChild } from '../children.ts'
import { NotMeasured } from '../notMeasured.ts'
import { watchTree } from '../processTree.ts'
import { receive } from '../receive.ts'
import { median } from '../statistics.ts'
import { makeKey } from './quotaTrials.ts'
import { findLeader, type Node, startNode, startThree, stopAll } from './servers.ts'
import { failuresOf, type Place, type Stage, type Trial } from './trial.ts'

const roundMs = 4_000
/** Few: a server whose event loop is busy refuses what is costly, and refusals cost little. */
const connections = 2
/** Of the answers, at most so many may be others than 200. */
const othersMax = 0.01
const patienceMs = 60_000
/** How much more a request may cost than with a single server. */
const moreMax = 0.1

/**
 * CPU time of a server's process by request: of one that is alone, of one that serves beside a leader, and of the leader. They take turns,
 * so that all have the same neighbours on the machine.
 */
export async function measureCost(stage: Stage, rounds: number): Promise<Trial> {
  const alone = await startNode(stage, await stage.postgres.createDatabase('alone'), { until: 'full' })
  const { nodes } = await startThree(stage, 'cost')
  const leader = await findLeader(nodes, stage)
  const serving = nodes.find((node) => node !== leader)
  if (!serving) throw new NotMeasured('All servers lead')
  const kinds: Kind[] = [
    {
      name: 'prices with a key',
      path: '/api/v1/prices',
      keys: [await makeKey([alone], 10_000_000), await makeKey(nodes, 10_000_000)],
    },
    { name: 'the whole list', path: '/assets.json', keys: undefined },
    { name: 'a page of the list', path: '/assets.json?pageSize=10&page=1&sort=fdmcDesc&search=a', keys: undefined },
    { name: 'swaps of a token', path: `/api/tokens/${stage.devnet.tokens[0]?.address}/swaps`, keys: undefined },
  ]
  const rows: [string, string, string][] = []
  const failures: string[] = []
  for (const kind of kinds) {
    const costs = { alone: [] as number[], serving: [] as number[], leader: [] as number[] }
    for (let round = 0; round <= rounds; round += 1) {
      const found = {
        alone: await costOf(stage, alone, kind, 0),
        serving: await costOf(stage, serving, kind, 1),
        leader: await costOf(stage, leader, kind, 1),
      }
      // The first one warms up.
      if (round === 0) continue
      costs.alone.push(found.alone)
      costs.serving.push(found.serving)
      costs.leader.push(found.leader)
    }
    const [one, other, first] = [median(costs.alone), median(costs.serving), median(costs.leader)]
    const more = other / one - 1
    rows.push([
      `CPU of a request, ${kind.name}: alone, serving, leading`,
      `${rounds}`,
      `${one.toFixed(0)} µs, ${other.toFixed(0)} µs (${(more * 100).toFixed(0)} %), ${first.toFixed(0)} µs`,
    ])
    failures.push(...failuresOf([more > moreMax, `${kind.name}: ${(more * 100).toFixed(0)} % more CPU a request than alone`]))
    console.log(rows.at(-1)?.join(' | '))
  }
  await stopAll([alone, ...nodes])
  return { rows, failures }
}

type Kind = { readonly name: string; readonly path: string; readonly keys: readonly { readonly text: string }[] | undefined }

/** Microseconds of CPU that one request took, with what the server does besides. */
async function costOf({ signal }: Place, { url, child }: Node, { name, path, keys }: Kind, place: number): Promise<number> {
  const key = keys?.[place]?.text
  const request = [
    `GET ${path} HTTP/1.1`,
    'host: board.example',
    'x-forwarded-for: 198.51.100.7',
    ...(key === undefined ? [] : [`x-api-key: ${key}`]),
    '\r\n',
  ].join('\r\n')
  const client = forkChild('the client', join(import.meta.dirname, '../api/loadClient.ts'))
  try {
    const done = receive(client, loadedSchema, { what: name, msMax: roundMs + patienceMs, signal })
    const watch = watchTree(child.pid)
    client.process.send({ port: Number(new URL(url).port), requests: [request], connections, ms: roundMs })
    const { statuses } = await done
    const seconds = watch.end()?.cpuSeconds
    const answers = statuses['200'] ?? 0
    const all = Object.values(statuses).reduce((sum, count) => sum + count, 0)
    if (seconds === undefined || answers < all * (1 - othersMax)) throw new NotMeasured(`${name}: ${JSON.stringify(statuses)}`)
    return (seconds * 1_000_000) / answers
  } finally {
    await client.stop()
  }
}

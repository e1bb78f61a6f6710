import { setTimeout as sleep } from 'node:timers/promises'
import type { Client } from 'pg'
import { describeDifference, indexFromScratch, readIndexOf } from '../faults/compareWithScratch.ts'
import { percentile } from '../statistics.ts'
import { countWritesAfter, recordWrites } from './recordWrites.ts'
import {
  countEnded,
  findLeader,
  type Node,
  readNumber,
  startNode,
  startThree,
  stopAll,
  untilAt,
  untilStoredAbove,
  withClient,
} from './servers.ts'
import { failuresOf, type Stage, type Trial, toSpan } from './trial.ts'

const blockMsMax = 5_000
/** A server that woke has this time to write what it wanted to. */
const wakeMs = 3_000

/** Ends the leader by `kill -9` under trade, and watches how another one takes over. Another server takes its place each time. */
export function measureKills(stage: Stage, kills: number): Promise<Trial> {
  return withLeaders(stage, 'kills', async ({ client, databaseUrl, nodes }) => {
    const killedMs: number[] = []
    for (let i = 0; i < kills; i += 1) {
      const leader = await findLeader(nodes, stage)
      const block = await readNumber(client, 'select block_number from sync_cursor')
      leader.child.process.kill('SIGKILL')
      killedMs.push(await untilStoredAbove(client, block, stage))
      nodes.splice(nodes.indexOf(leader), 1, await startNode(stage, databaseUrl))
      console.log(`kill ${i + 1}: ${killedMs.at(-1)?.toFixed(0)} ms`)
    }
    return {
      rows: [['`kill -9` of the leader, until the next block is stored', `${kills}`, toSpan(killedMs)]],
      failures: failuresOf([percentile(killedMs, 99) > blockMsMax, `A block took over ${blockMsMax} ms after a kill`]),
    }
  })
}

/** Stops the leader by SIGSTOP under trade, lets it go on, and counts what it writes then. */
export function measureHangs(stage: Stage, hangs: number, hangSeconds: number): Promise<Trial> {
  return withLeaders(stage, 'hangs', async ({ client, nodes }) => {
    const hangMs: number[] = []
    let lateWrites = 0
    for (let i = 0; i < hangs; i += 1) {
      const leader = await findLeader(nodes, stage)
      const others = nodes.filter((node) => node !== leader)
      const block = await readNumber(client, 'select block_number from sync_cursor')
      const epoch = await readNumber(client, 'select epoch from leadership')
      leader.child.process.kill('SIGSTOP')
      const stoppedMs = performance.now()
      hangMs.push(await untilStoredAbove(client, block, stage))
      await sleep(Math.max(0, hangSeconds * 1_000 - (performance.now() - stoppedMs)))
      leader.child.process.kill('SIGCONT')
      await sleep(wakeMs)
      await findLeader(others, stage)
      lateWrites += await countWritesAfter(client, leader.name, epoch)
      console.log(`hang ${i + 1}: ${hangMs.at(-1)?.toFixed(0)} ms, ${lateWrites} late writes`)
    }
    return {
      rows: [
        [`SIGSTOP of the leader for ${hangSeconds} s, until the next block is stored`, `${hangs}`, toSpan(hangMs)],
        ['… writes by the leader that hung, after another one led', '', `${lateWrites}`],
      ],
      failures: failuresOf(
        [lateWrites > 0, `Leaders that hung wrote ${lateWrites} times after another one led`],
        [percentile(hangMs, 99) > blockMsMax, `A block took over ${blockMsMax} ms after a stop`],
      ),
    }
  })
}

type Led = { readonly client: Client; readonly databaseUrl: string; readonly nodes: Node[] }

/** Three servers, whose index is compared with one made from scratch after the work. */
async function withLeaders(stage: Stage, name: string, work: (led: Led) => Promise<Trial>): Promise<Trial> {
  const { databaseUrl, nodes } = await startThree(stage, name)
  return withClient(databaseUrl, async (client) => {
    await recordWrites(client)
    const { rows, failures } = await work({ client, databaseUrl, nodes })
    const difference = await stage.market.still(async () => {
      await untilAt(nodes, await stage.head(), stage)
      return describeDifference(await readIndexOf({ databaseUrl }), await indexFromScratch(stage))
    })
    const ended = countEnded(nodes)
    await stopAll(nodes)
    return {
      rows: [
        ...rows,
        ['… index afterwards, compared row by row with one from scratch', '', difference === undefined ? 'equal' : '**differs**'],
        ['… servers that exited by themselves', '', `${ended}`],
      ],
      failures: [
        ...failures,
        ...(difference === undefined ? [] : [difference]),
        ...failuresOf([ended > 0, `${ended} servers ended by themselves`]),
      ],
    }
  })
}

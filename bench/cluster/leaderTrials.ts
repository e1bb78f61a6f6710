import { setTimeout as sleep } from 'node:timers/promises'
import type { Client } from 'pg'
import { describeDifference, indexFromScratch, readIndexOf } from '../faults/compareWithScratch.ts'
import type { Market } from '../faults/market.ts'
import {
  countEnded,
  findLeader,
  type Node,
  type Place,
  readNumber,
  startNode,
  untilAt,
  untilStoredAbove,
  withClient,
} from './servers.ts'

export type LeaderTrials = {
  readonly kills: number
  /** From the signal until a later block is stored, milliseconds. */
  readonly killedMs: readonly number[]
  readonly hangs: number
  readonly hangMs: readonly number[]
  /** What the servers that hung wrote after another one led. */
  readonly lateWrites: number
  readonly difference: string | undefined
  readonly ended: number
}

type Wanted = {
  readonly databaseUrl: string
  readonly kills: number
  readonly hangs: number
  readonly hangSeconds: number
  readonly market: Market
  readonly head: () => Promise<number>
}

const tables = [
  'sync_cursor',
  'swaps',
  'pool_events',
  'pools',
  'tokens',
  'blocks',
  'board_steps',
  'board_status',
  'credits',
  'boost_cursor',
]
/** A server that woke has this time to write what it wanted to. */
const wakeMs = 3_000

/** Ends or stops the leader under trade, and watches how another one takes over. Another server takes the place of each that was ended. */
export async function measureLeaders(place: Place, nodes: Node[], wanted: Wanted): Promise<LeaderTrials> {
  const { databaseUrl, kills, hangs, hangSeconds, market, head } = wanted
  return withClient(databaseUrl, async (client) => {
    await recordWrites(client)
    const killedMs: number[] = []
    for (let i = 0; i < kills; i += 1) {
      const leader = await findLeader(nodes, place)
      const block = await readNumber(client, 'select block_number from sync_cursor')
      leader.child.process.kill('SIGKILL')
      killedMs.push(await untilStoredAbove(client, block, place))
      nodes.splice(nodes.indexOf(leader), 1, await startNode(place, databaseUrl))
      console.log(`kill ${i + 1}: ${killedMs.at(-1)?.toFixed(0)} ms`)
    }
    const hangMs: number[] = []
    let lateWrites = 0
    for (let i = 0; i < hangs; i += 1) {
      const leader = await findLeader(nodes, place)
      const others = nodes.filter((node) => node !== leader)
      const block = await readNumber(client, 'select block_number from sync_cursor')
      const epoch = await readNumber(client, 'select epoch from leadership')
      leader.child.process.kill('SIGSTOP')
      const stoppedMs = performance.now()
      hangMs.push(await untilStoredAbove(client, block, place))
      await sleep(Math.max(0, hangSeconds * 1_000 - (performance.now() - stoppedMs)))
      leader.child.process.kill('SIGCONT')
      await sleep(wakeMs)
      await findLeader(others, place)
      lateWrites += await readNumber(client, 'select count(*) from trial_writes where who = $1 and epoch > $2', [
        leader.name,
        epoch,
      ])
      console.log(`hang ${i + 1}: ${hangMs.at(-1)?.toFixed(0)} ms, ${lateWrites} late writes`)
    }
    const difference = await market.still(async () => {
      await untilAt(nodes, await head(), place)
      return describeDifference(await readIndexOf({ databaseUrl }), await indexFromScratch(place))
    })
    return { kills, killedMs, hangs, hangMs, lateWrites, difference, ended: countEnded(nodes) }
  })
}

/** Notes who writes what a leader alone may, and in which epoch: the database itself knows. */
async function recordWrites(client: Client): Promise<void> {
  await client.query('create table trial_writes (who text not null, epoch bigint not null)')
  await client.query(
    `create function note_write() returns trigger language plpgsql as $$ begin
      insert into trial_writes select current_setting('application_name'), epoch from leadership; return null; end $$`,
  )
  for (const table of tables)
    await client.query(
      `create trigger note_write after insert or update or delete on ${table} for each statement execute function note_write()`,
    )
}

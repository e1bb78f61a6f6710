import { setTimeout as sleep } from 'node:timers/promises'
import type { Client } from 'pg'
import { readNumber, startNode, stopAll, untilStoredAbove, withClient } from './servers.ts'
import { failuresOf, type Stage, type Trial } from './trial.ts'

const readersPauseMs = 20
/** The replica stands still for so long: more than a block is made meanwhile. */
const stillMs = 6_000
/** A chart that was asked for just now is in memory: the site shows another block then. */
const phaseMsMin = 6_000

/**
 * Reads swaps of a server with `DATABASE_READ_URL` while PostgreSQL's own streaming replication runs, stands still, is gone, and is back. What
 * the replica answered is counted by the replica itself. @param answers in each of these phases, at least
 */
export async function measureReplica(stage: Stage, answers: number): Promise<Trial> {
  const databaseUrl = await stage.postgres.createDatabase('replicated')
  const leader = await startNode(stage, databaseUrl, { until: 'full' })
  const replica = await stage.postgres.startReplica()
  const replicaUrl = replica.urlOf('replicated')
  const serving = await startNode(stage, databaseUrl, { until: 'full', env: { DATABASE_READ_URL: replicaUrl, ROLE: 'serve' } })
  const token = stage.devnet.tokens[0]?.address ?? ''
  const totals = { failed: 0, old: 0 }
  const read = async () => {
    const status: { readonly block: number | null } = await (await fetch(`${serving.url}/api/status`)).json()
    const fromMs = performance.now()
    let count = 0
    while (count < answers || performance.now() - fromMs < phaseMsMin) {
      const answer = await fetch(`${serving.url}/api/tokens/${token}/swaps?limit=20`, {
        headers: { 'x-forwarded-for': '198.51.100.9' },
      })
      await answer.arrayBuffer()
      if (answer.status !== 200) totals.failed += 1
      if (Number(answer.headers.get('x-as-of-block')) < (status.block ?? 0)) totals.old += 1
      count += 1
      await sleep(readersPauseMs)
    }
    return count
  }
  const counted = async (): Promise<readonly [number, number]> => {
    const before = await withClient(replicaUrl, countScans)
    const count = await read()
    // Sessions tell of their counts a second after their last transaction at the latest.
    await sleep(1_500)
    return [count, (await withClient(replicaUrl, countScans)) - before]
  }
  const [near, ofNear] = await counted()
  await withClient(replicaUrl, (client) => client.query('select pg_wal_replay_pause()'))
  await sleep(stillMs)
  const [still, ofStill] = await counted()
  await withClient(replicaUrl, (client) => client.query('select pg_wal_replay_resume()'))
  await replica.halt()
  const gone = await read()
  await replica.resume()
  const block = await withClient(databaseUrl, (client) => readNumber(client, 'select block_number from sync_cursor'))
  await withClient(replicaUrl, (client) => untilStoredAbove(client, block, stage))
  const [back, ofBack] = await counted()
  await stopAll([serving, leader])
  return {
    rows: [
      ['Lists of swaps while the replica follows', `${near}`, `${ofNear} scans of swaps by the replica`],
      ['… while its replay is paused', `${still}`, `${ofStill}`],
      ['… while it is gone', `${gone}`, '–'],
      ['… when it is back', `${back}`, `${ofBack}`],
      [
        'Answers without 200; of an older block than the server said before',
        `${near + still + gone + back}`,
        `${totals.failed}; ${totals.old}`,
      ],
    ],
    failures: failuresOf(
      [totals.failed > 0, `${totals.failed} answers failed`],
      [totals.old > 0, `${totals.old} answers were older than what the server had answered before`],
      [ofNear === 0 || ofBack === 0, 'The replica was not read'],
      [ofStill > 0, `The replica was read ${ofStill} times while it stood still`],
    ),
  }
}

function countScans(client: Client): Promise<number> {
  return readNumber(
    client,
    "select coalesce(seq_scan, 0) + coalesce(idx_scan, 0) from pg_stat_user_tables where relname = 'swaps'",
  )
}

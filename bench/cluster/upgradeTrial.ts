import { isInstalled, startProxy } from '../../server/testing/startProxy.ts'
import { findFreePort } from '../../tools/freePort.ts'
import { makeFolder } from '../children.ts'
import { describeDifference, indexFromScratch, readIndexOf } from '../faults/compareWithScratch.ts'
import { makeNetworks } from '../faults/networks.ts'
import { NotMeasured } from '../notMeasured.ts'
import { poll, within } from '../waiting.ts'
import { checkOut, type OldVersion } from './oldVersion.ts'
import { makeKey } from './quotaTrials.ts'
import { recordWrites } from './recordWrites.ts'
import { type Node, readNumber, startNode, stopAll, untilAt, untilStoredAbove, withClient } from './servers.ts'
import { failuresOf, type Stage, type Trial, toSpan } from './trial.ts'
import { startVisitors } from './visitors.ts'

const stopMsMax = 30_000
const readyMsMax = 120_000
const visitsMsMax = 500_000

/**
 * Replaces three servers of another commit by those of this one, one after the other, behind nginx as it is in `deploy/`, while visitors
 * ask through it. @param from the commit; undefined: this one before its newest migration
 */
export async function measureUpgrade(stage: Stage, requests: number, from: string | undefined): Promise<Trial> {
  if (!isInstalled('nginx')) throw new NotMeasured('nginx is not installed: apt-get install nginx')
  const old = checkOut(from)
  try {
    // An operator's network file stays as it is.
    return await replaceAll({ ...stage, networksDir: makeNetworks({ from: old.folder }) }, requests, old)
  } finally {
    old.remove()
  }
}

async function replaceAll(stage: Stage, requests: number, old: OldVersion): Promise<Trial> {
  const databaseUrl = await stage.postgres.createDatabase('upgrade')
  const ports = [await findFreePort(), await findFreePort(), await findFreePort()]
  const open = (port: number | undefined, main?: string) =>
    startNode(stage, databaseUrl, { main, until: main ? 'full' : 'listening', env: { PORT: String(port), DRAIN_SECONDS: '1' } })
  const before = await Promise.all(ports.map((port) => open(port, old.main)))
  const proxy = await startProxy('nginx', { folder: makeFolder('upgrade'), upstreams: before.map(({ url }) => url) })
  try {
    return await withClient(databaseUrl, async (client) => {
      await recordWrites(client)
      const migrations = await readNumber(client, countMigrations)
      const key = await makeKey(before, 10_000_000)
      const visitors = startVisitors(proxy, { key: key.text, token: stage.devnet.tokens[0]?.address ?? '' })
      const after: Node[] = []
      const downMs: number[] = []
      for (const [i, node] of before.entries()) {
        const fromMs = performance.now()
        node.child.process.kill('SIGTERM')
        await within(node.child.gone, { what: 'the stop', msMax: stopMsMax, signal: stage.signal })
        after.push(await open(ports[i]))
        await untilReady(after.at(-1), stage.signal)
        downMs.push(performance.now() - fromMs)
        console.log(`server ${i + 1} replaced after ${downMs.at(-1)?.toFixed(0)} ms; ${visitors.asked()} requests so far`)
      }
      await within(visitors.askedAll(requests), { what: 'the visitors', msMax: visitsMsMax, signal: stage.signal })
      const visits = await visitors.stop()
      const block = await readNumber(client, 'select block_number from sync_cursor')
      await untilStoredAbove(client, block, stage)
      const difference = await stage.market.still(async () => {
        await untilAt(after, await stage.head(), stage)
        return describeDifference(await readIndexOf({ databaseUrl }), await indexFromScratch(stage))
      })
      const lateWrites = await readNumber(client, countLate, [
        before.map(({ name }) => name),
        after.map(({ child }) => `chainboard % ${child.pid} %`),
      ])
      const added = (await readNumber(client, countMigrations)) - migrations
      const users = await readNumber(client, 'select count(*) from users')
      await stopAll(after)
      return {
        rows: [
          [`From ${old.commit}, with ${added} migrations, behind nginx: requests`, `${visits.asked}`, `${visits.failed} failed`],
          ['… by status', '', visits.words],
          ['… accounts made meanwhile', `${visits.registered}`, `${users} are there`],
          ['… a server is out of the load balancer', `${downMs.length}`, toSpan(downMs)],
          ['… writes by the older version after the newer one led', '', `${lateWrites}`],
          [
            '… index afterwards, compared row by row with one from scratch',
            '',
            difference === undefined ? 'equal' : '**differs**',
          ],
        ],
        failures: [
          ...failuresOf(
            [visits.failed > 0, `${visits.failed} requests failed: ${visits.words}`],
            [users !== visits.registered, `${visits.registered} accounts were acknowledged, ${users} are there`],
            [added === 0, 'There was no migration between the two versions'],
            [lateWrites > 0, `The older version wrote ${lateWrites} times after the newer one led`],
          ),
          ...(difference === undefined ? [] : [difference]),
        ],
      }
    })
  } finally {
    await proxy.stop()
  }
}

const countMigrations = 'select count(*) from kysely_migration'
/** Of these servers, since the first epoch that one of the others began. */
const countLate = `select count(*) from trial_writes where who = any ($1)
  and epoch >= (select min(epoch) from trial_leaders where holder like any ($2))`

async function untilReady(node: Node | undefined, signal: AbortSignal): Promise<void> {
  const isReady = async () => ((await fetch(`${node?.url}/readyz`)).status === 200 ? true : undefined)
  await poll(isReady, { what: 'a server that is ready', everyMs: 100, msMax: readyMsMax, signal })
}

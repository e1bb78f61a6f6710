import { setTimeout as sleep } from 'node:timers/promises'
import type { Client } from 'pg'
import { Type } from 'typebox'
import { operator, signProof } from '../../server/testing/signProof.ts'
import { checkShape } from '../checkShape.ts'
import { postJson } from '../kills/keyOwners.ts'
import { NotMeasured } from '../notMeasured.ts'
import { countEnded, type Node, startNode, startThree, stopAll, withClient } from './servers.ts'
import { failuresOf, type Stage, type Trial } from './trial.ts'

const requestsPerDay = 1_000
const clients = 12
/** A server is killed after so many answers, each time more: early and late in a key's day. */
const killAfter = { first: 100, step: 40 } as const
/** The key that all kills hit: so many answers between two of them. */
const longStep = 40
/** A server asks the database again about a used-up key after a second. */
const againMs = 1_200
const madeKey = Type.Object({ key: Type.Object({ id: Type.String(), fullId: Type.String() }) })

/**
 * Uses up keys of 1,000 requests through three servers, one of which is killed on the way: each time another key, and one key that is
 * there all the time. What a key lost is compared with the last lease of the killed server, as the database noted it.
 */
export async function measureQuotas(stage: Stage, kills: number): Promise<Trial> {
  const { databaseUrl, nodes } = await startThree(stage, 'quotas')
  return withClient(databaseUrl, async (client) => {
    await recordTakes(client)
    const long = createReader(nodes, await makeKey(nodes))
    const losses: { readonly lost: number; readonly lease: number }[] = []
    let [over, leases] = [0, 0]
    for (let kill = 1; kill <= kills; kill += 1) {
      const reader = createReader(nodes, await makeKey(nodes))
      const place = kill % nodes.length
      const node = nodes[place]
      if (!node) throw new NotMeasured('No server is left to be killed')
      await long.read(longStep)
      const reading = reader.readAll()
      await reader.answered(killAfter.first + (kill % 20) * killAfter.step)
      node.child.process.kill('SIGKILL')
      await node.child.gone
      nodes[place] = await startNode(stage, databaseUrl)
      await reading
      await reader.readAll()
      const lease = await leaseOf(client, reader.principal, node)
      leases += await leaseOf(client, long.principal, node)
      losses.push({ lost: requestsPerDay - reader.count(), lease })
      over += Math.max(0, reader.count() - requestsPerDay)
      console.log(`kill ${kill}: ${reader.count()} answers, a lease of the killed server was up to ${lease}`)
    }
    await long.readAll()
    const ended = countEnded(nodes)
    await stopAll(nodes)
    const [tooMany, lostLong] = [losses.filter(({ lost, lease }) => lost > lease).length, requestsPerDay - long.count()]
    over += Math.max(0, -lostLong)
    const lost = losses.map((each) => each.lost)
    return {
      rows: [
        ['Keys of 1,000, one server killed on the way', `${kills}`, `${over} answers over a limit`],
        ['… lost in a kill, at most', '', `${Math.max(...lost)} of 1,000; ${tooMany} times more than one lease`],
        [
          '… one key of 1,000 that all kills hit',
          '1',
          `${long.count()} answers; the leases of the killed servers were up to ${leases}`,
        ],
      ],
      failures: failuresOf(
        [over > 0, `${over} requests were answered over a limit`],
        [tooMany > 0, `${tooMany} kills cost more than one lease`],
        [lostLong > leases, `The key that all kills hit lost ${lostLong}, more than the leases of the killed servers, ${leases}`],
        [ended > 0, `${ended} servers ended by themselves`],
      ),
    }
  })
}

/** `principal`: what the database calls it. */
type Key = { readonly text: string; readonly principal: string }

/** A key that an operator makes. @throws NotMeasured when it is refused */
export async function makeKey(nodes: readonly Node[], perDay = requestsPerDay): Promise<Key> {
  const proof = await signProof(operator, { siteName: 'Chainboard', purpose: 'Admin Login' })
  const answer = await postJson(`${nodes[0]?.url}/api/admin/keys`, { ...proof, email: 'dev@example.org', requestsPerDay: perDay })
  if (answer?.status !== 201) throw new NotMeasured(`an operator's key: ${JSON.stringify(answer)}`)
  const { id, fullId } = checkShape(madeKey, answer.body, "an operator's key").key
  return { text: id, principal: fullId }
}

type Reader = {
  readonly principal: string
  /** Answers so far. */
  count(): number
  /** Asks, one after the other, for so many answers more, or until the day is used up. */
  read(answers: number): Promise<void>
  /** Asks from many clients until every server says that the day is used up. */
  readAll(): Promise<void>
  /** Resolves when so many answers have come, or no more will. */
  answered(count: number): Promise<void>
}

/** Asks for prices with one key, of each server in turn. A server that is gone is passed over. */
function createReader(nodes: readonly Node[], { text, principal }: Key): Reader {
  let [count, turn] = [0, 0]
  const waiters = new Set<() => void>()
  const ask = async (): Promise<number> => {
    turn += 1
    const node = nodes[turn % nodes.length]
    const answer = await fetch(`${node?.url}/api/v1/prices`, { headers: { 'x-api-key': text } }).catch(() => undefined)
    await answer?.arrayBuffer().catch(() => undefined)
    if (answer?.status === 200) count += 1
    for (const look of waiters) look()
    return answer?.status ?? 0
  }
  /** Used up is what every server refuses, and after a second refuses still. */
  const isSpent = async () => {
    for (const _ of nodes) if ((await ask()) === 200) return false
    await sleep(againMs)
    for (const _ of nodes) if ((await ask()) !== 429) return false
    return true
  }
  const readOn = async () => {
    for (let refusals = 0; refusals < nodes.length; ) refusals = (await ask()) === 200 ? 0 : refusals + 1
  }
  return {
    principal,
    count: () => count,
    read: async (answers) => {
      const until = count + answers
      while (count < until && !((await ask()) === 429 && (await isSpent()))) {
        // A server that is gone is passed over.
      }
    },
    readAll: async () => {
      do await Promise.all(Array.from({ length: clients }, readOn))
      while (!(await isSpent()))
    },
    answered: (wanted) =>
      new Promise((resolve) => {
        const look = () => {
          if (count < wanted) return
          waiters.delete(look)
          resolve()
        }
        waiters.add(look)
        look()
      }),
  }
}

/** What a server may have had in hand: what it took last out of a key's day, and a quarter of that lease that was left from before. */
async function leaseOf(client: Client, principal: string, { name }: Node): Promise<number> {
  const { rows } = await client.query<{ taken: string }>(
    'select taken from trial_takes where who = $1 and principal = $2 and taken > 0 order by place desc limit 1',
    [name, principal],
  )
  return Math.ceil((Number(rows[0]?.taken ?? 0) * 4) / 3)
}

/** Notes what each server takes out of a key's day. */
async function recordTakes(client: Client): Promise<void> {
  await client.query(
    'create table trial_takes (place bigserial, who text not null, principal text not null, taken bigint not null)',
  )
  await client.query(
    `create function note_take() returns trigger language plpgsql as $$ begin
      insert into trial_takes (who, principal, taken)
        values (current_setting('application_name'), new.principal, new.taken - case when tg_op = 'UPDATE' then old.taken else 0 end);
      return null; end $$`,
  )
  await client.query('create trigger note_take after insert or update on quota_days for each row execute function note_take()')
}

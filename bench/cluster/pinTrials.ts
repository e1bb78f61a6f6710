import { postJson } from '../kills/keyOwners.ts'
import { NotMeasured } from '../notMeasured.ts'
import { type Node, startNode, startThree, stopAll } from './servers.ts'
import { failuresOf, type Stage, type Trial } from './trial.ts'

const rightPin = '7291'
const addresses = 3

/**
 * Tries wrong PINs of one account as fast as answers come, with one server alone, and with three in turn; then all at once. What counts is
 * how many PINs were compared: those that were answered 401.
 */
export async function measurePins(stage: Stage, tries: number): Promise<Trial> {
  const alone = await startNode(stage, await stage.postgres.createDatabase('alone'), { until: 'full' })
  const { nodes } = await startThree(stage, 'pins')
  const ofOne = await tryPins([alone], tries)
  const ofThree = await tryPins(nodes, tries)
  await stopAll([alone, ...nodes])
  return {
    rows: [
      ['Wrong PINs one after the other, tried by a single server', `${tries}`, `${ofOne.inTurn}`],
      ['… by three servers in turn', `${tries}`, `${ofThree.inTurn}`],
      ['Wrong PINs all at once, tried by a single server', `${tries}`, `${ofOne.atOnce}`],
      ['… by three servers', `${tries}`, `${ofThree.atOnce}`],
    ],
    failures: failuresOf(
      [ofThree.inTurn > ofOne.inTurn, `Three servers tried ${ofThree.inTurn} wrong PINs, a single one ${ofOne.inTurn}`],
      // At once, a single server may try fewer: of one address only so many may wait.
      [
        ofThree.atOnce > ofOne.inTurn,
        `At once, three servers tried ${ofThree.atOnce} wrong PINs, a single one ${ofOne.inTurn} in turn`,
      ],
    ),
  }
}

async function tryPins(nodes: readonly Node[], tries: number): Promise<{ inTurn: number; atOnce: number }> {
  await register(nodes, 'slow')
  await register(nodes, 'fast')
  let inTurn = 0
  for (let i = 0; i < tries; i += 1) if (await isTried(nodes, 'slow', i)) inTurn += 1
  const tried = await Promise.all(Array.from({ length: tries }, (_, i) => isTried(nodes, 'fast', i)))
  return { inTurn, atOnce: tried.filter(Boolean).length }
}

async function register(nodes: readonly Node[], username: string): Promise<void> {
  const answer = await postJson(`${nodes[0]?.url}/api/users`, { username, pin: rightPin }, from('198.51.100.1'))
  if (answer?.status !== 201) throw new NotMeasured(`a registration: ${JSON.stringify(answer)}`)
}

/** Whether the PIN was compared at all. Each try has another PIN; few addresses take turns, as one attacker has them. */
async function isTried(nodes: readonly Node[], username: string, place: number): Promise<boolean> {
  const node = nodes[place % nodes.length]
  const pin = String(3_101 + place * 37).slice(-4)
  const address = `203.0.113.${1 + (Math.floor(place / nodes.length) % addresses)}`
  const answer = await postJson(`${node?.url}/api/users/${username}/verify-pin`, { pin }, from(address))
  // 503: too many of one address wait already.
  if (answer === undefined || ![401, 429, 503].includes(answer.status))
    throw new NotMeasured(`a wrong PIN: ${JSON.stringify(answer)}`)
  return answer.status === 401
}

function from(address: string): Readonly<Record<string, string>> {
  return { 'x-forwarded-for': address }
}

import { setTimeout as sleep } from 'node:timers/promises'
import { routes } from '@chainboard/contract'
import { type Static, Type } from 'typebox'
import { checkShape, fetchJson } from '../checkShape.ts'
import type { Child } from '../children.ts'
import { receive } from '../receive.ts'
import { type AttackName, type Led, ledSchema, type Orders } from './attack.ts'

/** Milliseconds of each read of a page's tokens, and of a wallet's balances, which asks the node; and reads without status 200. */
export const readSchema = Type.Object({
  pages: Type.Array(Type.Number()),
  node: Type.Array(Type.Number()),
  others: Type.Integer(),
})
export type Read = Static<typeof readSchema>

/** What one attack did to the site. */
export type Result = {
  readonly name: AttackName
  readonly read: Read
  readonly led: Led | undefined
  /** Blocks that the chain made, a second. */
  readonly blocksPerSecond: number
  /** Looks at `/api/status`, those that were not live, and those that were live and more than 5 blocks behind the chain. */
  readonly looks: number
  readonly notLive: number
  readonly untrue: number
}

export type Stage = {
  readonly url: string
  readonly headOf: () => Promise<number>
  readonly reader: Child
  readonly attacker: Child
  readonly signal: AbortSignal
}

const lookEveryMs = 1_000
const patienceMs = 60_000
/** A block that came between two looks, and how far behind live may be, make four. */
const behindMax = 5

/** Leads an attack, and reads the site meanwhile. */
export async function measureAttack(stage: Stage, orders: Orders): Promise<Result> {
  const { url, reader, attacker, signal, headOf } = stage
  const patience = (what: string) => ({ what, msMax: orders.ms + patienceMs, signal })
  const read = receive(reader, readSchema, patience('the reader'))
  const led = orders.name === 'none' ? undefined : receive(attacker, ledSchema, patience(`the attack "${orders.name}"`))
  const [startMs, firstBlock] = [performance.now(), await headOf()]
  reader.process.send({ url })
  if (led) attacker.process.send(orders)
  const seen = { looks: 0, notLive: 0, untrue: 0 }
  while (performance.now() - startMs < orders.ms) {
    await sleep(lookEveryMs, undefined, { signal })
    const status = await fetchJson(routes.getStatus.schema.response[200], `${url}/api/status`)
    seen.looks += 1
    if (status.state !== 'live') seen.notLive += 1
    else if ((await headOf()) - (status.block ?? 0) > behindMax) seen.untrue += 1
  }
  const blocksPerSecond = ((await headOf()) - firstBlock) / ((performance.now() - startMs) / 1_000)
  reader.process.send('stop')
  return { name: orders.name, read: checkShape(readSchema, await read, 'The reads'), led: await led, blocksPerSecond, ...seen }
}

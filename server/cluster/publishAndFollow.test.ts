import { Failure } from '@chainboard/core'
import { describe, expect, it, onTestFinished } from 'vitest'
import { boardChannel } from '../store/electLeader.ts'
import type { Store } from '../store/store.ts'
import { alpha } from '../testing/market.ts'
import { alphaSnapshot } from '../testing/priceApi.ts'
import { createTempStores, engines } from '../testing/tempStores.ts'
import type { Board, BoardEvent, LeaderState, Publication } from './board.ts'
import { createBoardKeeper } from './boardKeeper.ts'
import { followBoards } from './followBoards.ts'
import { type PublisherDeps, publishBoards } from './publishBoards.ts'

const stores = createTempStores()
const cmc = { rows: undefined, listed: undefined, onChain: undefined }
const boardAt = (usd: number): Board => ({
  ...{ snapshot: alphaSnapshot({ usd, pair: 1 }), list: { tokens: [], highlighted: [] }, holds: new Map(), cmc },
})
const state: LeaderState = {
  nowMs: 0,
  follow: {
    ...{ cursor: undefined, head: 7, headAtSeconds: undefined, longestGapSeconds: undefined, contactAtMs: undefined },
    ...{ trouble: undefined, complete: true, faults: 0 },
  },
  ...{ sources: [], creditsSpent: undefined, rollbacks: 0, isFull: true },
  list: { tokens: 0, takenAtMs: 0, refused: undefined, beingRead: [], readProgress: undefined, remote: undefined },
  boosts: {
    ...{ expirations: new Map(), isKnown: true, leadSeconds: 0, pausedAtSeconds: undefined, answeredAtMs: undefined },
    ...{ doubts: 0, repairs: 0 },
  },
}
const price = (json: string): Omit<BoardEvent, 'place'> => ({ name: 'price', addresses: [alpha], block: 7, json })
/** A pause that lasts until the part that rests is stopped. */
const untilStopped = (_: number, signal: AbortSignal) =>
  new Promise<void>((resolve) => (signal.aborted ? resolve() : signal.addEventListener('abort', () => resolve(), { once: true })))

/** A leader that publishes to a store. */
function lead(store: Store, changes: Partial<PublisherDeps> = {}) {
  const published: Publication[] = []
  const [faults, warnings]: [unknown[], string[]] = [[], []]
  const publisher = publishBoards({
    ...{ store, epoch: 1, ended: new AbortController().signal, channel: boardChannel },
    board: () => boardAt(1),
    state: () => state,
    begin: { seq: 0, lastPlace: 0 },
    onPublished: (publication) => published.push(publication),
    onState: () => undefined,
    onFault: (error) => faults.push(error),
    pause: untilStopped,
    log: { warn: (_, text) => warnings.push(text) },
    ...changes,
  })
  onTestFinished(() => publisher.stop())
  return { publisher, published, faults, warnings }
}

/** A server that takes what is published there, each time it looks. */
function follow(store: Store) {
  const keeper = createBoardKeeper(boardAt(0), { nowMs: Date.now, steadyMs: () => performance.now() })
  const taken: Publication[] = []
  const [states, lines]: [LeaderState[], string[]] = [[], []]
  const note = (_: object, text: string) => void lines.push(text)
  keeper.watch((publication) => taken.push(publication))
  const log = { warn: note, error: note }
  const follower = followBoards({ store, keeper, log, onState: (each) => states.push(each), pause: untilStopped })
  onTestFinished(() => follower.stop())
  const json = () => taken.map(({ events }) => events.map(({ place, json }) => `${place} ${json}`).join(', '))
  return { look: follower.look, keeper, taken, states, lines, json }
}

// One server alone has a file, which nobody else reads.
describe.runIf(engines.includes('postgres'))('boards on a PostgreSQL', () => {
  it('are taken with the events of all that were missed, in their order, each once', async () => {
    const store = await stores.openNew('postgres')
    const { publisher, published } = lead(store)
    const [near, far] = [follow(store), follow(store)]
    publisher.publish([price('{"a":1}'), price('{"a":2}')])
    await publisher.flush()
    await near.look()
    publisher.publish([])
    publisher.publish([price('{"a":3}')])
    await publisher.flush()
    for (const { look } of [near, far, near, far]) await look()
    expect(near.json()).toEqual(['1 {"a":1}, 2 {"a":2}', '3 {"a":3}'])
    expect(far.json()).toEqual(['1 {"a":1}, 2 {"a":2}, 3 {"a":3}'])
    expect([near.keeper.seq(), far.keeper.seq()]).toEqual(Array(2).fill(published.at(-1)?.seq))
    expect(near.states.at(-1)?.follow.head).toBe(7)
  })

  it('come one at a time: a board that is wanted meanwhile has what is newest then', async () => {
    const store = await stores.openNew('postgres')
    let usd = 1
    const { publisher, published } = lead(store, { board: () => boardAt(usd) })
    const first = publisher.flush()
    for (usd = 2; usd < 6; usd += 1) publisher.publish([])
    await first
    await publisher.flush()
    expect(published.length).toBeLessThanOrEqual(3)
    const priceOf = (publication: Publication | undefined) => publication?.board.snapshot.byToken.get(alpha)?.quote?.usdE18
    expect(priceOf(published.at(-1))).toBe(6n * 10n ** 18n)
  })

  it('are tried again while the database is away, and nothing is told before it is stored', async () => {
    const store = await stores.openNew('postgres')
    let isAway = true
    const resumed = Promise.withResolvers<void>()
    const write: Store['write'] = (work) =>
      isAway ? Promise.reject(new Failure('store-unavailable', 'The database is away', { retryable: true })) : store.write(work)
    const { publisher, published, warnings } = lead(
      { ...store, write },
      { pause: (ms, signal) => (ms === 250 ? resumed.promise : untilStopped(ms, signal)) },
    )
    publisher.publish([price('{"a":1}')])
    const stored = publisher.flush()
    await expect.poll(() => warnings.length).toBeGreaterThan(0)
    expect(published).toEqual([])
    isAway = false
    resumed.resolve()
    await stored
    expect(published.flatMap(({ events }) => events.map(({ place }) => place))).toEqual([1])
  })

  it('are stored once where the answer to a commit was lost', async () => {
    const store = await stores.openNew('postgres')
    let lost = 0
    const write: Store['write'] = async (work) => {
      const result = await store.write(work)
      if ((await readSteps(store)) > 0 && lost === 0) {
        lost = 1
        throw new Failure('store-unavailable', 'The connection broke', { retryable: true })
      }
      return result
    }
    const pauses = (ms: number, signal: AbortSignal) => (ms === 250 ? Promise.resolve() : untilStopped(ms, signal))
    const { publisher, published } = lead({ ...store, write }, { pause: pauses })
    // How the leader stands is written beside the boards: that write is over first.
    const readStatus = () => store.read.selectFrom('board_status').select('number').execute()
    await expect.poll(readStatus).toHaveLength(1)
    publisher.publish([price('{"a":1}')])
    await publisher.flush()
    expect([lost, published.map(({ seq }) => seq), await readSteps(store)]).toEqual([1, [1], 1])
  })

  it('end with the lead, and those that wait for one are let go', async () => {
    const store = await stores.openNew('postgres')
    const ending = new AbortController()
    const { publisher, published } = lead(store, { ended: ending.signal })
    await publisher.flush()
    ending.abort()
    publisher.publish([price('{"a":1}')])
    await publisher.flush()
    expect([published.length, await readSteps(store)]).toEqual([1, 1])
  })

  it('that cannot be made are a bug, which is told once and ends publishing', async () => {
    const store = await stores.openNew('postgres')
    const bug = new TypeError('of undefined')
    const { publisher, faults } = lead(store, {
      board: () => {
        throw bug
      },
    })
    await publisher.flush()
    await expect.poll(() => faults).toEqual([bug])
  })

  it('of another version are left, with one warning, until the leader is of ours', async () => {
    const store = await stores.openNew('postgres')
    const { publisher } = lead(store)
    await publisher.flush()
    await store.write((tx) => tx.updateTable('board').set({ form: 99 }).execute())
    const { look, taken, lines } = follow(store)
    await look()
    await look()
    expect([taken, lines]).toEqual([
      [],
      ['The leader runs another version, and this server cannot read its prices: upgrade this server'],
    ])
    await store.write((tx) => tx.updateTable('board').set({ form: 1 }).execute())
    await look()
    expect(taken).toHaveLength(1)
  })

  it('that are no boards leave the last one in place, and one line in the log', async () => {
    const store = await stores.openNew('postgres')
    const { publisher } = lead(store)
    await publisher.flush()
    const { look, keeper, lines } = follow(store)
    await look()
    publisher.publish([])
    await publisher.flush()
    await store.write((tx) =>
      tx
        .updateTable('board')
        .set({ body: Buffer.from('no board') })
        .execute(),
    )
    await look()
    await look()
    expect([keeper.seq(), lines]).toEqual([1, ['The board cannot be read; the server keeps the last one']])
  })
})

async function readSteps({ read }: Store): Promise<number> {
  return (await read.selectFrom('board_steps').select('seq').execute()).length
}

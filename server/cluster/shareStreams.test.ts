import { Failure } from '@chainboard/core'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { Store } from '../store/store.ts'
import { createTempStores, engines } from '../testing/tempStores.ts'
import { shareStreams } from './shareStreams.ts'

const stores = createTempStores()

/** One server, whose turns the test takes: it rests until `turn` is called. */
function serve(store: Store) {
  let resting = Promise.withResolvers<void>()
  let next = Promise.withResolvers<void>()
  const lines: string[] = []
  const note = (_: object, text: string) => void lines.push(text)
  const sharing = shareStreams({
    store,
    hash: (subject) => `hash of ${subject}`,
    pause: async (_, signal) => {
      resting.resolve()
      if (signal.aborted) return
      signal.addEventListener('abort', () => next.resolve(), { once: true })
      await next.promise
      next = Promise.withResolvers()
    },
    log: { warn: note, error: note },
  })
  const turn = async (times = 1) => {
    for (let i = 0; i < times; i += 1) {
      await resting.promise
      resting = Promise.withResolvers()
      next.resolve()
      await resting.promise
    }
  }
  let isStopped = false
  const stop = async () => {
    if (!isStopped) await sharing.stop()
    isStopped = true
  }
  onTestFinished(stop)
  return { ...sharing, stop, turn, lines }
}

describe.runIf(engines.includes('postgres'))('the streams of several servers', () => {
  it('are counted on the others for each subject, and not twice on their own', async () => {
    const store = await stores.openNew('postgres')
    const [one, two, three] = [serve(store), serve(store), serve(store)]
    one.share(() => new Map([['ada', 2]]))
    two.share(
      () =>
        new Map([
          ['ada', 3],
          ['bob', 1],
        ]),
    )
    for (const { turn } of [one, two, three, one, two]) await turn()
    expect([one, two, three].map(({ others }) => others('ada'))).toEqual([3, 2, 5])
    expect([one, two, three].map(({ others }) => others('bob'))).toEqual([1, 0, 1])
    expect(three.others('eve')).toBe(0)
  })

  it('are stored by hashes, so that the database names nobody', async () => {
    const store = await stores.openNew('postgres')
    const { share, turn } = serve(store)
    share(() => new Map([['192.0.2.1', 1]]))
    await turn()
    const rows = await store.read.selectFrom('stream_counts').select('counts').execute()
    expect(rows).toEqual([{ counts: '[["hash of 192.0.2.1",1]]' }])
  })

  it('are forgotten when their server ends, or has written nothing for ten seconds', async () => {
    const store = await stores.openNew('postgres')
    const [one, two, three] = [serve(store), serve(store), serve(store)]
    one.share(() => new Map([['ada', 2]]))
    two.share(() => new Map([['ada', 3]]))
    for (const { turn } of [one, two, three]) await turn()
    expect(three.others('ada')).toBe(5)
    await one.stop()
    await three.turn()
    expect(three.others('ada')).toBe(3)
    // Its machine lost its power.
    await store.write((tx) => tx.updateTable('stream_counts').set({ written_at_ms: 1 }).execute())
    await three.turn()
    expect(three.others('ada')).toBe(0)
  })

  it('that do not change are written every fourth second, so that others know that the server is there', async () => {
    const store = await stores.openNew('postgres')
    const { share, turn } = serve(store)
    share(() => new Map([['ada', 2]]))
    await turn()
    const age = () => store.write((tx) => tx.updateTable('stream_counts').set({ written_at_ms: 1 }).execute())
    const isWritten = async () => {
      const [row] = await store.read.selectFrom('stream_counts').select('written_at_ms').execute()
      return row?.written_at_ms !== 1
    }
    await age()
    await turn(3)
    expect(await isWritten()).toBe(false)
    await turn()
    expect(await isWritten()).toBe(true)
  })

  it('count as last known while the database is away, with one line in the log', async () => {
    const store = await stores.openNew('postgres')
    let isAway = false
    const write: Store['write'] = (work) =>
      isAway ? Promise.reject(new Failure('store-unavailable', 'away', { retryable: true })) : store.write(work)
    const [one, two] = [serve(store), serve({ ...store, write })]
    one.share(() => new Map([['ada', 2]]))
    two.share(() => new Map([['bob', 1]]))
    await one.turn()
    await two.turn()
    isAway = true
    two.share(() => new Map([['bob', 4]]))
    await two.turn(2)
    expect([two.others('ada'), two.lines]).toEqual([
      2,
      ['The streams of other servers cannot be read: the last known numbers apply'],
    ])
    isAway = false
    await two.turn()
    await one.turn()
    expect([one.others('bob'), two.lines.length]).toEqual([4, 1])
  })
})

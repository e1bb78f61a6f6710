import type { Price, PriceEvent } from '@chainboard/sdk'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createHub } from './hub.ts'
import type { HubWord } from './messages.ts'
import type { OpenStream } from './priceLine.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const [gold, iron, tin] = [`0x${'a1'.repeat(20)}`, `0x${'b2'.repeat(20)}`, `0x${'c3'.repeat(20)}`]

type Line = {
  readonly addresses: readonly string[]
  readonly lastEventId: string | undefined
  readonly signal: AbortSignal
  readonly say: (event: PriceEvent) => Promise<void>
  readonly reconnect: () => void
  readonly refuse: () => Promise<void>
}

/** A hub whose streams say what the test has them say. */
function open(random = () => 0) {
  const lines: Line[] = []
  const openStream: OpenStream = ({ addresses, lastEventId, signal, onConnect }) => {
    const queue: PriceEvent[] = []
    let wake = Promise.withResolvers<void>()
    let isRefused = false
    const settle = () => vi.advanceTimersByTimeAsync(0)
    lines.push({
      ...{ addresses, lastEventId, signal, reconnect: onConnect },
      say: (event) => {
        queue.push(event)
        wake.resolve()
        return settle().then(() => undefined)
      },
      refuse: () => {
        isRefused = true
        wake.resolve()
        return settle().then(() => undefined)
      },
    })
    onConnect()
    return (async function* () {
      for (;;) {
        await wake.promise
        wake = Promise.withResolvers<void>()
        if (isRefused) throw new RangeError('429')
        yield* queue.splice(0)
      }
    })()
  }
  const hub = createHub(openStream, random)
  /** A tab that takes every word, unless it is frozen. */
  const join = (...addresses: readonly string[]) => {
    const words: HubWord[] = []
    const state = { isFrozen: false }
    const tab = hub.join((word) => {
      words.push(word)
      if (!state.isFrozen) queueMicrotask(() => tab?.receive({ kind: 'taken' }))
    })
    const want = (...wanted: readonly string[]) => tab?.receive({ kind: 'want', addresses: wanted })
    want(...addresses)
    const heard = () => words.flatMap(({ prices }) => prices.map(({ symbol, usdPrice }) => `${symbol} ${usdPrice}`))
    const thaw = () => {
      state.isFrozen = false
      tab?.receive({ kind: 'taken' })
      return vi.advanceTimersByTimeAsync(0)
    }
    return { words, want, heard, leave: () => tab?.leave(), freeze: () => (state.isFrozen = true), thaw }
  }
  return { lines, join, newest: () => lines.at(-1) as Line }
}

const ready = (resumed = true): PriceEvent => ({ kind: 'ready', id: 'r-1', data: { resumed, block: 1 } })
const price = (address: string, symbol: string, usdPrice: number): PriceEvent => ({
  ...{ kind: 'price', id: `r-${usdPrice}` },
  data: { address: address.toUpperCase().replace('0X', '0x'), symbol, usdPrice } as Price,
})
/** Until wants are gathered. */
const gathered = () => vi.advanceTimersByTimeAsync(300)

test('all tabs share one stream, and each hears of what it shows', async () => {
  const { lines, join, newest } = open()
  const [a, b] = [join(gold, iron), join(iron)]
  await gathered()
  expect(lines.map(({ addresses }) => addresses)).toEqual([[gold, iron]])
  await newest().say(ready())
  expect([a.words.at(-1)?.live, b.words.at(-1)?.live]).toEqual([true, true])
  await newest().say(price(gold, 'AU', 5))
  await newest().say(price(iron, 'FE', 7))
  expect([a.heard(), b.heard()]).toEqual([['AU 5', 'FE 7'], ['FE 7']])
})

test('a frozen tab is owed the newest price of each token, and nothing more', async () => {
  const { join, newest } = open()
  const tab = join(gold)
  await gathered()
  await newest().say(ready())
  tab.freeze()
  for (let usd = 1; usd <= 1_000; usd += 1) await newest().say(price(gold, 'AU', usd))
  expect(tab.heard()).toEqual(['AU 1'])
  await tab.thaw()
  expect(tab.heard()).toEqual(['AU 1', 'AU 1000'])
})

test('the stream ends with the last tab, and with the last that is looked at', async () => {
  const { lines, join, newest } = open()
  const [a, b] = [join(gold), join(gold)]
  await gathered()
  a.leave()
  await gathered()
  expect(newest().signal.aborted).toBe(false)
  b.leave()
  await gathered()
  expect(newest().signal.aborted).toBe(true)
  await vi.advanceTimersByTimeAsync(60_000)
  expect([lines.length, vi.getTimerCount()]).toEqual([1, 0])
  const hidden = join(gold)
  await gathered()
  expect(lines).toHaveLength(2)
  hidden.want()
  await gathered()
  expect(newest().signal.aborted).toBe(true)
})

test('a refused stream sends all tabs back to the poll, and is asked for ever more rarely', async () => {
  const { lines, join, newest } = open()
  const tab = join(gold)
  await gathered()
  await newest().say(ready())
  expect(tab.words.at(-1)?.live).toBe(true)
  await newest().refuse()
  expect(tab.words.at(-1)?.live).toBe(false)
  await vi.advanceTimersByTimeAsync(59_000)
  expect(lines).toHaveLength(1)
  await vi.advanceTimersByTimeAsync(1_000)
  expect(lines).toHaveLength(2)
  await newest().refuse()
  await vi.advanceTimersByTimeAsync(119_000)
  expect(lines).toHaveLength(2)
  await vi.advanceTimersByTimeAsync(1_000)
  expect(lines).toHaveLength(3)
})

test('while the server is away the tabs poll, and what was missed is read again', async () => {
  const { join, newest } = open()
  const tab = join(gold)
  await gathered()
  await newest().say(ready())
  newest().reconnect()
  await vi.advanceTimersByTimeAsync(1_400)
  expect(tab.words.at(-1)?.live).toBe(true)
  await vi.advanceTimersByTimeAsync(100)
  expect(tab.words.at(-1)?.live).toBe(false)
  await newest().say(ready(false))
  expect(tab.words.at(-1)).toMatchObject({ live: true, reread: true })
})

test('other tokens on screen make another stream, not more often than every ten seconds, which goes on after the last event', async () => {
  const { lines, join, newest } = open()
  const tab = join(gold)
  await gathered()
  await newest().say(ready())
  await newest().say(price(gold, 'AU', 5))
  tab.want(gold, iron)
  await gathered()
  // Until then not all that it shows is told: it polls.
  await vi.advanceTimersByTimeAsync(9_000)
  expect(lines).toHaveLength(1)
  await vi.advanceTimersByTimeAsync(1_000)
  expect([lines.length, newest().addresses, newest().lastEventId]).toEqual([2, [gold, iron], 'r-5'])
  await newest().say(ready())
  expect(tab.words.at(-1)).toMatchObject({ live: true, reread: true })
  // Fewer need no other one.
  tab.want(iron)
  await vi.advanceTimersByTimeAsync(30_000)
  expect(lines).toHaveLength(2)
})

test('what the chain took back is read again, by the tabs that show it', async () => {
  const { join, newest } = open()
  const [a, b] = [join(gold), join(tin)]
  await gathered()
  await newest().say(ready())
  const before = [a.words.length, b.words.length]
  await newest().say({ kind: 'retracted', id: 'r-9', data: { block: 1, addresses: [gold] } })
  expect([a, b].map(({ words }, i) => words.slice(before[i]).map(({ reread }) => reread))).toEqual([[true], []])
})

test('browsers read again one after the other, within five seconds, what was missed or taken back', async () => {
  const { join, newest } = open(() => 0.5)
  const tab = join(gold)
  await gathered()
  await newest().say(ready(false))
  const rereads = () => tab.words.filter(({ reread }) => reread).length
  // A tab that has just come has not missed anything since.
  await vi.advanceTimersByTimeAsync(5_000)
  const before = rereads()
  expect(before).toBe(1)
  await newest().say({ kind: 'retracted', id: 'r-9', data: { block: 1, addresses: [gold] } })
  await newest().say(ready(false))
  await vi.advanceTimersByTimeAsync(2_499)
  expect([rereads() - before, tab.words.at(-1)?.live]).toEqual([0, true])
  await vi.advanceTimersByTimeAsync(1)
  expect(rereads() - before).toBe(1)
})

test('rubbish from another version of the page changes nothing, and words come so often that silence means death', async () => {
  const { lines, join } = open()
  const tab = join(gold)
  tab.want(...([7] as unknown as string[]))
  await gathered()
  expect(lines.map(({ addresses }) => addresses)).toEqual([[gold]])
  const before = tab.words.length
  await vi.advanceTimersByTimeAsync(20_000)
  expect(tab.words.length - before).toBeGreaterThanOrEqual(2)
})

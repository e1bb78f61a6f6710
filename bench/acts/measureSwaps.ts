import { formatUsdPrice } from '@chainboard/core'
import { chromium } from '@playwright/test'
import { browserFlags, browserPath } from '../../tools/browser.ts'
import { NotMeasured } from '../notMeasured.ts'

const lookMs = 20
const settledMs = 5_000

/** Milliseconds from a block in the node to its last price on the screen. */
type SwapTimes = { readonly times: readonly number[]; readonly missed: number }

type Place = { readonly rpcUrl: string; readonly url: string; readonly symbol: string; readonly seconds: number }
type Event = { readonly block: number | null; readonly lastPriceUsd: number | null }
type Seen = { readonly atMs: number; readonly text: string }

/**
 * How soon a token's page shows the price that a swap leaves, for so many seconds after the page has settled.
 * @throws NotMeasured when no swap was seen
 */
export async function measureSwaps({ rpcUrl, url, symbol, seconds }: Place, signal: AbortSignal): Promise<SwapTimes> {
  const browser = await chromium.launch({ executablePath: browserPath, args: [...browserFlags] })
  try {
    const page = await browser.newPage({ baseURL: url, viewport: { width: 1_440, height: 1_000 } })
    const seen: Seen[] = []
    await page.exposeFunction('tellPrice', (atMs: number, text: string) => void seen.push({ atMs, text }))
    const told: Told[] = []
    await page.exposeFunction('tellEvent', ({ block, lastPriceUsd }: Event) => {
      if (block !== null && lastPriceUsd !== null) told.push({ block, text: formatUsdPrice(lastPriceUsd) })
    })
    await page.goto(`/token/${symbol}`)
    await page.getByText(/^Last trade/).waitFor()
    await page.waitForTimeout(settledMs)
    await page.evaluate(watchLastTrade)
    await page.evaluate(watchStream, symbol)
    const minedAt = await watchBlocks(rpcUrl, AbortSignal.any([signal, AbortSignal.timeout(seconds * 1_000)]))
    signal.throwIfAborted()
    const measured = compare(minedAt, told, seen)
    if (measured.times.length === 0) throw new NotMeasured(`no swap of ${symbol} was seen within ${seconds} s`)
    return measured
  } finally {
    await browser.close()
  }
}

/** In the page: each frame in which the last price is another one. */
function watchLastTrade(): void {
  let last = ''
  const tell: unknown = Reflect.get(window, 'tellPrice')
  let place: Element | undefined
  const look = () => {
    if (!place?.isConnected)
      place = [...document.querySelectorAll('span')].find(({ textContent }) => textContent.startsWith('Last trade '))
    const text = place?.textContent.slice('Last trade '.length) ?? ''
    if (text !== last && typeof tell === 'function') tell(Date.now(), text)
    last = text
    requestAnimationFrame(look)
  }
  look()
}

/** When the node had each block; unix milliseconds. */
async function watchBlocks(rpcUrl: string, signal: AbortSignal): Promise<ReadonlyMap<number, number>> {
  const minedAt = new Map<number, number>()
  while (!signal.aborted) {
    const answer = await fetch(rpcUrl, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_blockNumber', params: [] }),
    })
    const { result } = (await answer.json()) as { readonly result: string }
    const block = Number(result)
    if (!minedAt.has(block)) minedAt.set(block, Date.now())
    await new Promise((resolve) => setTimeout(resolve, lookMs))
  }
  return minedAt
}

type Told = { readonly block: number; readonly text: string }

/** In the page, beside its own stream: what the server tells of a token. */
function watchStream(symbol: string): void {
  const tell: unknown = Reflect.get(window, 'tellEvent')
  new EventSource('/api/v1/stream').addEventListener('price', ({ data }) => {
    const price: { readonly symbol: string } = JSON.parse(data)
    if (price.symbol.toLowerCase() === symbol && typeof tell === 'function') tell(price)
  })
}

/** A price that reads as the one before it is on the screen already. */
function compare(minedAt: ReadonlyMap<number, number>, told: readonly Told[], seen: readonly Seen[]): SwapTimes {
  const times: number[] = []
  let missed = 0
  for (const [i, { block, text }] of told.entries()) {
    const mined = minedAt.get(block)
    if (i === 0 || told[i - 1]?.text === text || mined === undefined) continue
    const shown = seen.find((each) => each.text === text && each.atMs >= mined)
    if (shown) times.push(shown.atMs - mined)
    else missed += 1
  }
  return { times, missed }
}

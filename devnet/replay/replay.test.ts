import { existsSync, readFileSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type Devnet, startDevnet } from '../index.ts'

const swapTopic = '0xc42079f94a6350d7e6235f29174924f928cc2ac818eb64fed8004e115fbcca67'
const realName = '../shared/data/usdc-weth-35d.csv.gz'
const real = join(import.meta.dirname, '../..', realName)
const header = 'timestamp,open_tick,highest_tick,lowest_tick,close_tick'

type Row = { seconds: number; high: number; low: number; close: number }
type Swap = { seconds: number; tick: number; sqrtPriceX96: bigint }
type Span = { close: number; high: number; low: number }

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'devnet-replay-'))
})
afterEach(() => rm(folder, { recursive: true, maxRetries: 3 }))

async function readMainSwaps(devnet: Devnet): Promise<Swap[]> {
  const filter = { fromBlock: '0x0', toBlock: 'latest', address: devnet.pools[0]?.address, topics: [swapTopic] }
  const logs = await devnet.rpc<{ data: string; blockTimestamp: string }[]>('eth_getLogs', [filter])
  return logs.map(({ data, blockTimestamp }) => ({
    seconds: Number(blockTimestamp),
    sqrtPriceX96: BigInt(`0x${data.slice(2 + 128, 2 + 192)}`),
    tick: Number(BigInt.asIntN(24, BigInt(`0x${data.slice(2 + 256, 2 + 320)}`))),
  }))
}

function toSpans<T>(items: readonly T[], lengthSeconds: number, read: (item: T) => Row): Map<number, Span> {
  const spans = new Map<number, Span>()
  for (const item of items) {
    const { seconds, high, low, close } = read(item)
    const key = Math.floor(seconds / lengthSeconds)
    const before = spans.get(key)
    spans.set(key, { close, high: Math.max(before?.high ?? high, high), low: Math.min(before?.low ?? low, low) })
  }
  return spans
}

/** Every hour and UTC day of the recording has its close as the last price in the pool, and its extremes inside. */
async function expectRecorded(devnet: Devnet, rows: readonly Row[]): Promise<void> {
  const shift = devnet.replay?.shiftSeconds ?? 0
  const swaps = await readMainSwaps(devnet)
  for (const lengthSeconds of [3_600, 86_400]) {
    const wanted = toSpans(rows, lengthSeconds, (row) => ({ ...row, seconds: row.seconds + shift }))
    const found = toSpans(swaps, lengthSeconds, ({ seconds, tick }) => ({ seconds, high: tick, low: tick, close: tick }))
    const wrong = [...wanted].filter(([key, span]) => {
      const got = found.get(key)
      return !got || got.close !== span.close || got.high < span.high || got.low > span.low
    })
    expect(wrong).toEqual([])
  }
  const closes = new Map(swaps.map((swap) => [Math.floor(swap.seconds / 3_600), swap]))
  for (const { tick, sqrtPriceX96 } of closes.values()) {
    const price = (Number(sqrtPriceX96) / 2 ** 96) ** 2
    expect(Math.abs(price / 1.0001 ** tick - 1)).toBeLessThan(1e-6)
  }
}

/** 30 hours with a quiet hour, missing minutes and long stretches without a move. */
function inventRows(): Row[] {
  const first = 1_650_000_000 - (1_650_000_000 % 3_600) + 17 * 60
  let close = 202_500
  return Array.from({ length: 30 * 60 }, (_, place) => ({ place, seconds: first + place * 60 }))
    .filter(({ place }) => place % 7 !== 3 && !(place >= 103 && place < 163))
    .map(({ place, seconds }) => {
      const open = close
      if (place < 1_200 || place > 1_500) close += ((place * 7_919) % 41) - 20
      return { seconds, high: Math.max(open, close) + (place % 3), low: Math.min(open, close) - (place % 5), close }
    })
}

const toCsv = (rows: readonly Row[]) =>
  `${header}\n${rows.map((row) => [row.seconds, row.close, row.high, row.low, row.close].join(',')).join('\n')}\n`

test('every hour and day of a recording ends in the pool at its recorded close, also after a restart', async () => {
  const rows = inventRows()
  const replayCsv = join(folder, 'rows.csv.gz')
  await writeFile(replayCsv, gzipSync(toCsv(rows)))
  const startedMinute = Math.floor(Date.now() / 60_000) * 60
  const devnet = await startDevnet({ dataDir: folder, replayCsv })
  expect(devnet.replay?.rows).toBe(rows.length)
  expect(Math.abs((rows.at(-1)?.seconds ?? 0) + (devnet.replay?.shiftSeconds ?? 0) - startedMinute)).toBeLessThanOrEqual(60)
  await expectRecorded(devnet, rows)
  await devnet.stop()
  const again = await startDevnet({ dataDir: folder, replayCsv })
  try {
    expect(again.replay).toEqual(devnet.replay)
    await expectRecorded(again, rows)
  } finally {
    await again.stop()
  }
})

test('when a user moves the pool, the live market brings it back to the recorded close', async () => {
  const replayCsv = join(folder, 'rows.csv')
  const rows = inventRows().slice(0, 50)
  await writeFile(replayCsv, toCsv(rows))
  const devnet = await startDevnet({ replayCsv })
  try {
    const close = rows.at(-1)?.close ?? 0
    await devnet.trade([{ pool: devnet.pools[0]?.address as `0x${string}`, toTick: close + 77 }])
    await expect.poll(async () => (await readMainSwaps(devnet)).at(-1)?.tick, { timeout: 15_000 }).toBe(close)
  } finally {
    await devnet.stop()
  }
})

test('another recording makes another chain, and a faulty one is named', async () => {
  const replayCsv = join(folder, 'rows.csv')
  await writeFile(replayCsv, toCsv(inventRows().slice(0, 5)))
  await (await startDevnet({ dataDir: folder, replayCsv, live: false })).stop()
  await writeFile(replayCsv, toCsv(inventRows().slice(0, 6)))
  const told: string[] = []
  await (await startDevnet({ dataDir: folder, replayCsv, live: false, onProgress: (text) => told.push(text) })).stop()
  expect(told).toContain('the saved chain was made with another replay: a new one is created')
  await writeFile(replayCsv, `${header}\n60,1,2,1,?\n`)
  await expect(startDevnet({ dataDir: folder, replayCsv })).rejects.toThrow(
    `recording ${replayCsv}: line 2, field close_tick: found "?"`,
  )
})

const reason = existsSync(real) ? '' : ` (skipped: no ${realName} beside the checkout)`
test.skipIf(reason)(`35 real days are traded again to the tick${reason}`, { timeout: 180_000 }, async () => {
  const lines = gunzipSync(readFileSync(real)).toString().trim().split('\n').slice(1)
  const rows = lines.map((line) => {
    const cells = line.split(',').map(Number) as [number, number, number, number, number, number, number]
    return { seconds: cells[0], high: cells[4], low: cells[5], close: cells[6] }
  })
  const devnet = await startDevnet({ replayCsv: real })
  try {
    expect(devnet.replay?.rows).toBe(50_390)
    await expectRecorded(devnet, rows)
  } finally {
    await devnet.stop()
  }
})

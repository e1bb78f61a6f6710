import type { Measuring } from '../measureSection.ts'
import type { readMemory } from '../readMemory.ts'
import { toHead } from '../sectionHead.ts'
import { percentile } from '../statistics.ts'
import { toTable } from '../table.ts'
import { type BrowserTimes, throttleRate } from './measureBrowser.ts'
import type { Question } from './measureServer.ts'
import type { SnapshotTimes } from './measureSnapshot.ts'
import type { Shown } from './probe.ts'

/** All times of one list, and the memory of the server that served it. */
export type BoardTimes = {
  readonly tokens: number
  readonly browser: BrowserTimes
  readonly server: readonly Question[]
  readonly snapshot: SnapshotTimes
  readonly memory: ReturnType<typeof readMemory>
}

type Measured = Measuring & { readonly boards: readonly BoardTimes[] }

/** The section "Board" of the document. */
export function toSection({ boards, ...measuring }: Measured): string {
  return [
    ...toHead({
      ...measuring,
      title: 'Board',
      about: 'The page and the server with a list of 20 tokens and with a long one: a search should take the same time in both.',
    }),
    `The devnet with its 16 real tokens, a block every two to three seconds, and generated tokens that nobody trades: they are searched, sorted, paged
and served like any other, but have no price.`,
    '### In the browser',
    `Chromium on the same machine, its CPU throttled ${throttleRate} times, 1440 x 900. In milliseconds from the visitor's last step to the frame that shows the
resulting rows; the goal is 100. A search is typed with 90 ms between letters, and every letter sends a request at once. _Sent_ and _received_:
when the request was sent, and when its answer arrived.`,
    toTable(
      ['Step', 'Tokens', 'Times', 'Shown p50', 'p95', 'max', 'Sent p50', 'Received p50'],
      boards.flatMap(({ tokens, browser }) => [
        toActRow('the last letter of a search', tokens, browser.searches),
        toActRow('sort by name', tokens, browser.sorts),
        toActRow('the next page', tokens, browser.pages, false),
      ]),
    ),
    '### The server',
    `Milliseconds to the last byte of an answer over loopback, compressed with Brotli unless it says otherwise; and its size. Blocks arrive meanwhile.
The whole list is loaded every 400 ms.`,
    toTable(
      ['Request', 'Tokens', 'Times', 'p50', 'p95', 'max', 'KB'],
      boards.flatMap(({ tokens, server }) =>
        server.map(({ name, times, bytes }) => [
          name,
          String(tokens),
          String(times.length),
          ...[50, 95, 100].map((percent) => show(times, percent)),
          (bytes / 1_000).toFixed(1),
        ]),
      ),
    ),
    'The work for a block, 40 times, in milliseconds: reading the index, and computing the market of all tokens. Also the memory, in MB, of the server in the tables above.',
    toTable(
      ['Tokens', 'Reading p50', 'p95', 'Market p50', 'p95', 'Resident', 'Peak'],
      boards.map(({ tokens, snapshot, memory }) => [
        String(tokens),
        ...[snapshot.reading, snapshot.merging].flatMap((times) => [show(times, 50), show(times, 95)]),
        ...[memory.nowBytes, memory.peakBytes].map((bytes) => (bytes / 1e6).toFixed(0)),
      ]),
    ),
  ].join('\n\n')
}

/** @param withCall false for what the page requests ahead, when the pointer comes near */
function toActRow(act: string, tokens: number, shown: readonly Shown[], withCall = true): string[] {
  const times = shown.map(({ shownMs }) => shownMs)
  const call = [shown.map(({ askedMs }) => askedMs), shown.map(({ arrivedMs }) => arrivedMs)]
  return [
    act,
    String(tokens),
    String(times.length),
    ...[50, 95, 100].map((percent) => show(times, percent)),
    ...call.map((values) => (withCall ? show(values, 50) : '–')),
  ]
}

function show(times: readonly number[], percent: number): string {
  return percentile(times, percent).toFixed(1)
}

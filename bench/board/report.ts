import type { Machine } from '../machine.ts'
import { percentile } from '../statistics.ts'
import { toTable } from '../table.ts'
import { type BrowserTimes, throttleRate } from './measureBrowser.ts'
import type { Question, readMemory } from './measureServer.ts'
import type { SnapshotTimes } from './measureSnapshot.ts'
import type { Shown } from './probe.ts'

export type BoardTimes = {
  readonly tokens: number
  readonly browser: BrowserTimes
  readonly server: readonly Question[]
  readonly snapshot: SnapshotTimes
  readonly memory: ReturnType<typeof readMemory>
}

type Measured = { readonly command: string; readonly machine: Machine; readonly boards: readonly BoardTimes[] }

/** The section "Board" of the document. */
export function toSection({ command, machine, boards }: Measured): string {
  return [
    '## Board',
    'The page and the server with a list of 20 tokens and with a long one: a search should not feel the difference.',
    `\`\`\`sh\n${command}\n\`\`\``,
    machine.words.map((line) => `- ${line}`).join('\n'),
    ...(machine.busy ? ['**The machine was not quiet: these numbers hold for a loaded one.**'] : []),
    `The devnet with its 16 real tokens, a block every two to three seconds, and made-up entries that nobody trades: they are searched, ordered, paged and
served like any other, but have no price.`,
    '### In the browser',
    `Chromium on the same machine, its CPU throttled ${throttleRate} times, 1440 x 900. From the visitor's last act to the frame in which the rows of the
answer are on the screen, in milliseconds; the goal is 100. A search is typed with 90 ms between letters, and every letter asks at once, so that
nothing is waited for after the last. _Asked_ and _arrived_: when the call was sent, and when its answer was there.`,
    toTable(
      ['Act', 'Tokens', 'Times', 'Shown p50', 'p95', 'max', 'Asked p50', 'Arrived p50'],
      boards.flatMap(({ tokens, browser }) => [
        toActRow('the last letter of a search', tokens, browser.searches),
        toActRow('order by name', tokens, browser.sorts),
        toActRow('the next page', tokens, browser.pages, false),
      ]),
    ),
    '### The server',
    `Milliseconds to the last byte of an answer over loopback, in Brotli but for the list as it is; and its size. Blocks come meanwhile. The whole list is
asked for every 400 ms. _Beside_: while another client asks for the whole list without a pause.`,
    toTable(
      ['Question', 'Tokens', 'Times', 'p50', 'p95', 'max', 'KB'],
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
    'What a block costs, in this process, 40 times: reading the index, and making the market of all tokens. And the memory of the server that did all of the above, in MB.',
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

/** @param withCall false for what is asked for ahead, when the pointer comes near */
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

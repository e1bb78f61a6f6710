import type { Measuring } from '../measureSection.ts'
import { toHead } from '../sectionHead.ts'
import { percentile } from '../statistics.ts'
import { toTable } from '../table.ts'
import type { ColdStarts } from './coldStarts.ts'
import type { LeaderTrials } from './leaderTrials.ts'
import type { Restarts } from './restarts.ts'
import { type Lag, type Reconnects, toSpan } from './streamTrials.ts'

/** All trials of servers on one PostgreSQL. */
export type Measured = {
  readonly starts: ColdStarts
  readonly lag: Lag
  readonly reconnects: Reconnects
  readonly leaders: LeaderTrials
  readonly restarts: Restarts
}

const blockMsMax = 5_000

/** The section "Several servers" of the document. */
export function toSection(measuring: Measuring, { starts, lag, reconnects, leaders, restarts }: Measured): string {
  const rows = [
    [
      'Cold starts of three',
      `${starts.starts}`,
      `${[...starts.outcomes].map(([words, times]) => `${times} x ${words}`).join('; ')}; index ${starts.differences.length === 0 ? 'equal' : '**differs**'}; ${toSpan(starts.secondsUntilFull.map((seconds) => seconds * 1_000))} until full`,
    ],
    ['Commit of a board until its events are with readers, leader', `${lag.leaderMs.length}`, toSpan(lag.leaderMs)],
    ['The same, other servers', `${lag.othersMs.length}`, toSpan(lag.othersMs)],
    ['CPU of a server that only serves', `${lag.boards} boards`, `${(lag.servingShare * 100).toFixed(1)} % of a core`],
    [
      'Reconnects, each to another server',
      `${reconnects.reconnects}`,
      `${reconnects.events} events: ${reconnects.missed} missed, ${reconnects.twice} twice; ${reconnects.anew} began anew`,
    ],
    ['`kill -9` of the leader, until the next block is stored', `${leaders.kills}`, toSpan(leaders.killedMs)],
    [
      'SIGSTOP of the leader, until the next block is stored',
      `${leaders.hangs}`,
      `${toSpan(leaders.hangMs)}; ${leaders.lateWrites} writes by the old leader`,
    ],
    ['Index after all of these', '', leaders.difference === undefined ? 'equal to one from scratch' : '**differs**'],
    [
      'PostgreSQL restarted',
      `${restarts.restarts}`,
      `${restarts.ended} servers ended; ready ${toSpan(restarts.readyMs)}; next block ${toSpan(restarts.storedMs)}`,
    ],
    ['Boards answered meanwhile', `${restarts.boards}`, `${restarts.failedBoards} without 200`],
  ]
  return [
    ...toHead({
      ...measuring,
      title: 'Several servers',
      about: `Three servers as processes on one PostgreSQL, while a real chain has a trade per second. Spans are the median and the 99th percentile. Writes are recorded by
triggers in the database, with the session that made them. PostgreSQL is once away for ${restarts.awaySeconds} s, too.`,
    }),
    toTable(['What', 'How often', 'Result'], rows),
  ].join('\n\n')
}

/** What must not be, in words. */
export function findFailures({ starts, reconnects, leaders, restarts }: Measured): string[] {
  return [
    ...[...starts.outcomes.keys()].filter((words) => words !== '1 leader, 0 ended').map((words) => `Cold start: ${words}`),
    ...starts.differences,
    ...(reconnects.missed + reconnects.twice > 0 ? ['Readers missed events, or heard some twice'] : []),
    ...(leaders.killedMs.length > 0 && percentile(leaders.killedMs, 99) > blockMsMax
      ? [`A block took over ${blockMsMax} ms after a kill`]
      : []),
    ...(leaders.lateWrites > 0 ? [`A leader that hung wrote ${leaders.lateWrites} times after another one led`] : []),
    ...(leaders.difference === undefined ? [] : [leaders.difference]),
    ...(leaders.ended + restarts.ended > 0 ? [`${leaders.ended + restarts.ended} servers ended`] : []),
    ...(restarts.failedBoards > 0 ? [`${restarts.failedBoards} boards were not answered`] : []),
  ]
}

import type { Measuring } from '../measureSection.ts'
import { toHead } from '../sectionHead.ts'
import { toTable } from '../table.ts'
import { areServed, describeReads } from './dataReads.ts'
import type { Absence } from './kind.ts'
import type { Row } from './runTrial.ts'
import { type Asked, nobody } from './watchSite.ts'

/** What one fault did. */
export type Result = { readonly group: 'node' | 'storage'; readonly name: string } & (
  | { readonly row: Row; readonly absence?: Absence | undefined; readonly outage?: boolean | undefined }
  | { readonly skipped: string }
  /** The measurement itself did not work. */
  | { readonly failed: string }
)

/** Within so long after an outage everything is as before. */
const outageSecondsMax = 5
const wordsLengthMax = 220
const toldShown = 3

/** Whether every request was answered with 2xx. */
export function isUp({ statuses }: Asked): boolean {
  return Object.keys(statuses).every((status) => status.startsWith('2'))
}

/** Whether the server survived a fault, as far as it must; also for one that was skipped. */
export function isGood(result: Result): boolean {
  if ('failed' in result) return false
  if ('skipped' in result) return true
  const { difference, recoverySeconds } = result.row
  if (difference !== undefined || recoverySeconds === undefined || isDown(result.row, result.absence)) return false
  return !result.outage || (areServed(result.row.reads) && recoverySeconds <= outageSecondsMax)
}

function isDown({ seen, words, log }: Row, absence: Absence | undefined): boolean {
  if (absence === 'refuses' && findRefusal(words, log) === undefined) return true
  return [seen.page, seen.api].some((asked) => !isUp(asked) && !isExcused(asked, absence))
}

/** One line of the table. */
export function toCells(result: Result): string[] {
  if ('skipped' in result) return [result.name, 'not measured', '', '', '', result.skipped]
  if ('failed' in result) return [result.name, '**not measured**', '', '', '', result.failed]
  const { name, row } = result
  return [
    name,
    describeAsked(row.seen.page, result.absence),
    describeAsked(row.seen.api, result.absence),
    row.difference === undefined ? 'equal' : '**diverged**',
    row.recoverySeconds === undefined ? '**never**' : row.recoverySeconds.toFixed(1),
    describeTold(row),
  ]
}

/** The answers to reads of data during each outage. */
export function toReadsTable(results: readonly Result[]): string {
  const rows = results.flatMap((each) =>
    'row' in each && each.row.reads.length > 0 ? [[each.name, describeReads(each.row.reads)]] : [],
  )
  return toTable(['Outage', 'Answers with their age'], rows, 2)
}

/** The section "Faults" of the document. */
export function toSection(results: readonly Result[], measuring: Measuring): string {
  const head = ['Fault', 'Page', 'API', 'Final index', 'Seconds to recover', 'Message shown']
  const tableOf = (group: Result['group']) =>
    toTable(
      head,
      results.filter((each) => each.group === group).map((each) => toCells(each)),
      head.length,
    )
  return [
    ...toHead({
      ...measuring,
      title: 'Faults',
      about: `The server as a process, against a real chain that trades once a second. During each fault a client requests \`/\` (the page), and
\`/api/v1/prices\`, \`/api/status\` and \`/healthz\` (the API), each four times a second. A server that ends is started again after a second, as
by any supervisor. _Not started_: the server refuses to start, because running would only make things worse, and prints the sentence in the last
column. _Killed_, _frozen_: the operating system ended or suspended the process. Anything else without a response is **down**, and fails the run.
_Final index_: all its tables, compared row by row with an index built from scratch from the honest node. _Seconds to recover_: from the fault's end until the status is \`live\` and the index has the newest block of that moment.`,
    }),
    '### Of the node',
    'A proxy between the server and its node; in the middle of each fault the last 3 blocks are reorganized.',
    tableOf('node'),
    '### Of the storage and the process',
    tableOf('storage'),
    '### Reads during an outage',
    `Each of these is requested once before the fault, so that its answer is in memory, and then twice a second. The age is the one stated in the response: \`X-As-Of\` of the list,
the trending tokens, the chart and the swaps, \`block.timestamp\` of the receipt, \`asOf\` of the price, \`_meta\` of the subgraph.`,
    toReadsTable(results),
  ].join('\n\n')
}

const absences: Readonly<Record<Absence, { readonly statuses: readonly string[]; readonly text: string }>> = {
  refuses: { statuses: [nobody], text: 'not started' },
  ends: { statuses: [nobody], text: 'ended, no answer cut off' },
  killed: { statuses: [nobody, 'cut off'], text: 'killed' },
  frozen: { statuses: ['late'], text: 'frozen' },
}
/** From the end of a process to the first answer of the next. */
const restartMsMax = 10_000

/** Whether only answers are missing that a server that is away cannot give. */
function isExcused({ statuses, gapMsMax }: Asked, absence: Absence | undefined): boolean {
  if (!absence || (absence === 'killed' && gapMsMax > restartMsMax)) return false
  return Object.keys(statuses).every((status) => status.startsWith('2') || absences[absence].statuses.includes(status))
}

function describeAsked(asked: Asked, absence: Absence | undefined): string {
  if (isUp(asked)) return `up, max ${Math.round(asked.msMax)} ms`
  if (absence && isExcused(asked, absence)) {
    const { text } = absences[absence]
    return absence === 'killed' ? `${text}, answers again after ${(asked.gapMsMax / 1_000).toFixed(1)} s` : text
  }
  return `**down**: ${Object.entries(asked.statuses)
    .map(([status, count]) => `${count} x ${status}`)
    .join(', ')}`
}

function findRefusal(words: readonly string[], log: string): string | undefined {
  return [log, ...words].flatMap((text) => text.trim().split('\n')).find((line) => /cannot start/.test(line))
}

function describeTold({ seen, ends, words, log }: Row): string {
  const states = seen.told.filter((text, place) => text !== 'live' || place === 0 || seen.told.length === 1)
  const shown = states.slice(0, toldShown + 1).map((text) => `\`${shorten(text)}\``)
  const refusal = findRefusal(words, ends > 0 ? log : '')
  if (refusal) shown.push(`"${shorten(refusal)}"`)
  shown.push(...seen.refusals.slice(0, toldShown).map((text) => `${shorten(text)}`))
  if (ends > 0) shown.push(`the server ended ${ends} times`)
  return shown.join('; ') || 'nothing'
}

function shorten(text: string): string {
  const clean = text
    .replaceAll(/\/tmp\/chainboard-bench-[\w-]+/g, '/data')
    .replaceAll('|', '/')
    .replaceAll('`', "'")
  return clean.length > wordsLengthMax ? `${clean.slice(0, wordsLengthMax)}…` : clean
}

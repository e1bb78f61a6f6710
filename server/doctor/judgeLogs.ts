import { type Finding, fail, ok, warn } from '../finding.ts'
import type { Answer } from './ask.ts'

/** What the server asks for at once when the network file does not say. */
export const rangeWantedDefault = 10_000
const candidatesMax = 20

/** Widths of block ranges to try, widest first: halves of the widest worth having, and what the network file says. Pure. */
export function toRangeCandidates(logRangeMax: number | undefined): number[] {
  const widths = new Set<number>()
  for (
    let width = Math.max(rangeWantedDefault, logRangeMax ?? 0);
    width >= 1 && widths.size < candidatesMax;
    width = Math.floor(width / 2)
  )
    widths.add(width)
  if (logRangeMax !== undefined) widths.add(logRangeMax)
  return [...widths].sort((a, b) => b - a)
}

/** Whether the node still has the logs of the block where the index begins. Pure. */
export function judgeHistory(field: string, answer: Answer<unknown>, startBlock: number): Finding {
  if (answer.kind === 'answer') return ok(field, `has the logs of block ${startBlock}, where the index begins`)
  return fail({
    field,
    found: `"${answer.said}" for the logs of block ${startBlock}`,
    wanted: 'the logs from dex.startBlock on',
    todo: 'It does not keep old logs: use a node with the full history, at least until the index has caught up',
  })
}

export type RangeTrial = {
  readonly logRangeMax: number | undefined
  /** The widest range that was answered; undefined: none was. */
  readonly answered: number | undefined
  /** What the node said to the wider one. */
  readonly refusal: Answer<unknown> | undefined
}

/** Whether the node answers ranges of blocks as wide as the network file says, and what to write there instead. Pure. */
export function judgeRange(field: string, { logRangeMax, answered, refusal }: RangeTrial): Finding {
  const wanted = logRangeMax ?? rangeWantedDefault
  const said = refusal && refusal.kind !== 'answer' ? `: "${refusal.said}"` : ''
  if (answered === undefined)
    return fail({ field, found: `the node refuses every block range${said}`, wanted: 'eth_getLogs', todo: 'Use another node' })
  if (answered < wanted) {
    const known = refusal?.kind === 'too-wide'
    const cost = known
      ? 'every refusal costs time'
      : 'the server does not recognize this message as a limit, so it would repeat the call'
    return (known ? warn : fail)({
      field,
      found: `answers ${answered} blocks at once${said}`,
      wanted: `${wanted}, ${logRangeMax === undefined ? 'the default of chain.logRangeMax' : 'as chain.logRangeMax says'}`,
      todo: `Write "logRangeMax": ${answered}: ${cost}`,
    })
  }
  const more = answered > wanted ? `; raise chain.logRangeMax (${wanted}) for a faster first start` : ''
  return ok(field, `answers ${answered} blocks at once${more}`)
}

/** Whether logs carry the time of their block. Pure. @param log undefined when none was found */
export function judgeTimestamp(field: string, log: { readonly blockTimestamp?: unknown } | undefined): Finding {
  const wanted = 'blockTimestamp in its logs'
  if (!log) return warn({ field, found: 'no recent log', wanted, todo: 'Do nothing if the exchange has few trades' })
  if (log.blockTimestamp) return ok(field, 'has the time in its logs')
  return warn({
    field,
    found: 'no time',
    wanted,
    todo: 'Reading takes one extra call for each block with a trade; a newer node is faster',
  })
}

import { type Finding, fail, ok, warn } from '../finding.ts'

/** What the boost contract answers; undefined: nothing that this function would answer. */
export type BoostFacts = {
  readonly hasCode: boolean
  /** Millionths of a US dollar. */
  readonly price: bigint | undefined
  readonly durationSeconds: bigint | undefined
  readonly paused: boolean | undefined
  readonly takesUsdc: boolean | undefined
}

const hourSeconds = 3_600

/** Whether `boost.address` is the boost contract, and somebody can pay now. Pure. */
export function judgeBoost({ hasCode, price, durationSeconds, paused, takesUsdc }: BoostFacts): Finding[] {
  const field = 'boost.address'
  const wanted = 'the boost contract'
  const todo = 'Deploy it with npm run deploy-boost, or leave "boost" out'
  if (!hasCode) return [fail({ field, found: 'no contract at this address', wanted, todo })]
  if (price === undefined || durationSeconds === undefined || paused === undefined || takesUsdc === undefined)
    return [fail({ field, found: 'another contract', wanted, todo })]
  const findings = [ok(field, `a boost costs ${formatDollars(price)} US dollars and lasts ${formatHours(durationSeconds)}`)]
  if (!takesUsdc)
    findings.push(
      fail({
        field,
        found: 'a contract that does not take usdc.address',
        wanted: 'one that does',
        todo: 'Have the owner call setPaymentToken with it: until then nobody can boost on the page',
      }),
    )
  if (paused)
    findings.push(
      warn({
        field,
        found: 'paused',
        wanted: 'a contract that takes payments',
        todo: 'Have the owner call unpause: after 7 paused days payers may withdraw what is unused',
      }),
    )
  return findings
}

/** Blocks that may be read for nothing without a word. */
const earlySlack = 10_000

/** Where the contract begins, as far as the node can say it. Block numbers. */
export type BoostStartFacts = {
  readonly startBlock: number
  /** The block of the contract's creation; undefined: the node does not keep states that old. */
  readonly createdAt: number | undefined
  /** The contract's first log before `startBlock`; undefined: none was seen. */
  readonly logBefore: number | undefined
  /** Whether every block before `startBlock` was looked at. */
  readonly lookedAtAll: boolean
}

/** Whether the ledger begins before the first payment, and not needlessly early. Pure. */
export function judgeBoostStart({ startBlock, createdAt, logBefore, lookedAtAll }: BoostStartFacts): Finding {
  const field = 'boost.startBlock'
  const first = createdAt ?? logBefore
  const found =
    first === undefined ? `no event shortly before ${startBlock}, earlier blocks were not checked` : toFound(startBlock, first)
  if (first !== undefined && startBlock > first)
    return fail({
      field,
      found,
      wanted: `at most ${first}`,
      todo: `Write ${first}: otherwise the server misses earlier payments`,
    })
  if (createdAt !== undefined && createdAt - startBlock > earlySlack)
    return warn({ field, found, wanted: `${createdAt}`, todo: 'Otherwise the first start reads blocks for nothing' })
  if (createdAt === undefined && !lookedAtAll) {
    const todo = "Compare it with the contract's block in an explorer: the node keeps no state that old"
    return warn({ field, found, wanted: "the contract's block, or one before", todo })
  }
  return ok(
    field,
    createdAt === undefined ? `no event came before ${startBlock}` : `the contract was created at block ${createdAt}`,
  )
}

function toFound(startBlock: number, first: number): string {
  return `${startBlock}, and the contract's first event at block ${first}`
}

function formatDollars(millionths: bigint): string {
  const cents = (millionths + 5_000n) / 10_000n
  const rest = cents % 100n
  return rest === 0n ? `${cents / 100n}` : `${cents / 100n}.${String(rest).padStart(2, '0')}`
}

function formatHours(seconds: bigint): string {
  const hours = Number(seconds) / hourSeconds
  return `${Math.round(hours * 10) / 10} hours`
}

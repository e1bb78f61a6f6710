import type { Measuring } from '../measureSection.ts'
import { toHead } from '../sectionHead.ts'
import { toTable } from '../table.ts'
import type { AttackResult } from './runAttack.ts'
import type { Judgement } from './verdict.ts'

const head = [
  'Attack',
  'Cost $',
  'Capital $',
  'Stated cost of 10 % $',
  'Price off',
  'Wrong for',
  'Confidence',
  'Trending',
  'Stated cost of a place $',
  'Volume added',
  'Organic',
  'Interval',
  'Dollars off',
  'Verdict',
  'Warnings',
]
const leftColumns = 1
const marksShown = 2
/** Less is shown as none. */
const percentShown = 0.005

/** Whether the server held out against an attack. */
export function isHeld({ judgement }: AttackResult): boolean {
  return judgement.failures.length === 0
}

/** One row of the table. */
export function toCells({ attack, costUsd, capitalUsd, judgement }: AttackResult): string[] {
  const { worst, wrongSeconds, confidence, place, added, dollars, failures, marks } = judgement
  return [
    attack.name,
    toDollars(costUsd),
    toDollars(capitalUsd),
    judgement.costToMoveUsd === undefined ? '–' : toDollars(judgement.costToMoveUsd),
    worst.percent < percentShown ? '0 %' : `${toPercent(worst.percent)} ${worst.symbol}`,
    `${wrongSeconds} s${judgement.unmarkedSeconds > 0 ? `, unmarked ${judgement.unmarkedSeconds} s` : ''}`,
    `${confidence.before.toFixed(2)} -> ${confidence.during.toFixed(2)}`,
    `${place.before ?? '–'} -> ${place.during ?? '–'}`,
    place.saidUsd === 0 ? 'free' : toDollars(place.saidUsd),
    `$${toDollars(added.volumeUsd)}`,
    added.organicUsd === undefined ? '–' : `$${toDollars(added.organicUsd)}`,
    toInterval(judgement),
    dollars.percent < percentShown ? '0 %' : `${toPercent(dollars.percent)} ${dollars.what}`,
    failures.length === 0 ? 'holds' : `**${failures.join('; ')}**`,
    marks.length === 0 ? '–' : marks.slice(0, marksShown).join('; '),
  ]
}

/** The section "Attacks" of the document. */
export function toSection(results: readonly AttackResult[], measuring: Measuring): string {
  const failed = results.filter((result) => !isHeld(result)).length
  return [
    ...toHead({
      ...measuring,
      title: 'Attacks',
      about: `Attacks on prices and dollars, each on a new local chain with Uniswap's contracts and honest traders, followed by a real server. After every
block \`/assets.json\`, the price API and \`/api/trending\` are read. The honest price of a token is the one its pool would have without the attacker. The
honest traders ignore the attacker's trades.`,
    }),
    `- _Cost_: the change of the attacker's own balances, gas included, valued at honest prices (gas at half a gwei). _Capital_: the most of its own money
  that the attacker had committed at once, even within a transaction.
- _Price off_: the largest error of any listed token. _Wrong for_: how long some price was wrong by more than 2 %, in seconds of the chain, up to
  twelve minutes after the attack.
- _Dollars off_: volume of 24 hours, hours and days, and TVL, compared with the chain's own logs at honest prices in USDC, the unit of account.
- _Confidence_, _trending_: before, and highest since. Before and after the attack the server gets the time to read who signed the swaps. In an honest
  market confidence rises too, as pools get older. So if confidence rose or a token entered cheaply, the same blocks are played again with only the
  honest traders, and only the difference at the same block counts.
- _Volume added_: the increase of the target's volume of 24 hours, honest trades included. _Organic_: how much of it counts as organic. Gross volume
  counts every swap, including self-trading. A swap between two tokens of the attacker has no honest value: its gross volume is not checked, and none of it may be organic.`,
    `**The rules**: every served price is within 2 % of the honest one, or the token has a warning and its range contains the honest price. A token that cannot
be sold is unpriced or has a warning within 180 s. Confidence never rises because of an attack. No target enters the five trending tokens for less than
the stated cost of the last place. Tokens that only the attacker trades have no organic volume. Dollars are within 2 % of the honest ones; the only
exception is the TVL of a pool whose token has a warning within 180 s that says so. ${results.length - failed} of ${results.length} attacks leave all rules intact.`,
    results.map(({ attack }) => `- \`${attack.name}\`: ${attack.about}`).join('\n'),
    toTable(head, results.map(toCells), leftColumns),
  ].join('\n\n')
}

function toInterval({ interval }: Judgement): string {
  return interval === undefined ? '–' : interval ? 'contains' : 'misses'
}

function toDollars(usd: number): string {
  if (Math.abs(usd) < 0.005) return '0'
  return Math.abs(usd) < 100 ? usd.toFixed(2) : Math.round(usd).toLocaleString('en-US')
}

function toPercent(percent: number): string {
  if (!Number.isFinite(percent)) return 'unsellable'
  return `${percent < 10 ? percent.toFixed(2) : Math.round(percent).toLocaleString('en-US')} %`
}

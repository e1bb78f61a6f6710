import { toTable } from '../table.ts'
import type { AttackResult } from './runAttack.ts'
import type { Judgement } from './verdict.ts'

const head = [
  'Attack',
  'Cost $',
  'Capital $',
  '10 % said to cost $',
  'Price off',
  'Wrong for',
  'Confidence',
  'Trending',
  'A place said to cost $',
  'Volume added',
  'Organic',
  'Interval',
  'Dollars off',
  'Verdict',
  'Marked with',
]
const leftColumns = 1
const marksShown = 2
/** Less is shown as none. */
const percentShown = 0.005

export function isHeld({ judgement }: AttackResult): boolean {
  return judgement.failures.length === 0
}

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

type About = { readonly machine: readonly string[]; readonly command: string }

export function toSection(results: readonly AttackResult[], { machine, command }: About): string {
  const failed = results.filter((result) => !isHeld(result)).length
  return [
    '## Attacks',
    `Attacks on prices and dollars, each on a fresh local chain with Uniswap's contracts and honest traders, followed by a real server: _Cost_
is the change of the attacker's own balances, gas included, valued at honest prices (a coin of gas at half a gwei); _capital_ is the most
of its own that it had out of its hands at once, also in the middle of a transaction. After every block \`/assets.json\`, the price API and
\`/api/trending\` are read. The honest price of a token is what its pool would say without the attacker, whose trades alone the traders do not
know. _Price off_ is the largest error of any listed token, _wrong for_ how long some price was off by more than 2 %, in seconds of the chain,
up to twelve minutes after the attack. _Dollars off_: volume of 24 hours, hours and days, and TVL, beside the chain's own logs at honest prices in USDC,
the unit of account.
_Confidence_ and _trending_: before, and highest since; before the attack and after it the server gets the time to ask who signed the swaps. An honest market is trusted more by itself as its pools get older, so where confidence
rose or a token entered cheaply, the chain is taken back and the same blocks are played with the honest traders alone: only what is more than there, at the same block, is
because of the attack. _Volume added_: by which the target's volume of 24 hours rose, honest trades
included, and how much of it counts as organic. Gross volume counts every swap, those with oneself too. A swap of one token of the attacker's for another one has no
honest value: its gross volume is held against nothing, and none of it may be organic.`,
    `**The rule**: every served price is within 2 % of the honest one, or the token is marked and its interval contains the honest price; what
cannot be sold is unpriced or marked within 180 s; confidence never rises because of an attack; no target of it enters the five trending tokens for less than
the last place was said to cost; what nobody but the attacker trades has no organic volume; dollars are within 2 %, or are the TVL
of a pool of whose token a warning says within 180 s that it is not there. ${results.length - failed} of ${results.length} hold.`,
    `\`\`\`sh\n${command}\n\`\`\``,
    machine.map((line) => `- ${line}`).join('\n'),
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

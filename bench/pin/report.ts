import type { Measuring } from '../measureSection.ts'
import { toHead } from '../sectionHead.ts'
import { toTable } from '../table.ts'
import type { AttackState } from './attack.ts'
import type { Closed } from './close.ts'
import type { OwnerDays } from './owners.ts'

/** One attack, after some days. */
export type Attacked = {
  readonly kind: 'everybody' | 'one' | 'smallSite' | 'sharedNetwork' | 'madeInAdvance'
  readonly addresses: number
  readonly choices: string
  /** Accounts of the site. */
  readonly users: number
  readonly states: readonly AttackState[]
}

type Simulated = Measuring & {
  readonly users: number
  readonly seed: number
  readonly attacked: readonly Attacked[]
  readonly closed: readonly Closed[]
  readonly owners: OwnerDays | undefined
}

/** The section "PINs under attack" of the document. */
export function toSection({ users, seed, attacked, closed, owners, ...measuring }: Simulated): string {
  const of = (wanted: Attacked['kind']) => attacked.filter(({ kind }) => kind === wanted)
  const [all, one] = [of('everybody'), of('one')]
  return [
    ...toHead({
      ...measuring,
      title: 'PINs under attack',
      about: `How many accounts an attacker opens by guessing PINs on a site of ${users.toLocaleString('en')} users. The simulation has its own clock and sends every try through
the server's own accounts, guard and store (SQLite). Only the PIN's hash is left out, so the attacker never waits for it. Seed of the users' PINs: ${seed}.`,
    }),
    `The attacker knows every name, every rule and how people choose PINs, uses each try in the first second that it is admitted, and wastes none.
No cookie or known network helps the attacker. _PINs_ says how users chose theirs:

- _not refused_: they registered when easy PINs were already refused. Users who wanted one took any other PIN at random.
- _not refused, by habit_: the same, but those users took another PIN as people with other PINs do.
- _any_: they registered before. The twenty most frequent leaked PINs have their real shares (\`1234\` is one in nine), and the attacker tries those first.

_Opened_ is the number of accounts in this run, _on average_ the number to expect from as many tries with these shares.`,
    toTable(
      ['Attacker', 'PINs', 'Days', 'Tries', 'Opened', 'On average', 'Of all accounts'],
      all.flatMap(({ addresses, choices, states }) =>
        states.map(({ days, tries, opened, expected }) => [
          addresses === 1 ? '1 address' : `${addresses.toLocaleString('en')} addresses`,
          choices,
          String(days),
          tries.toLocaleString('en'),
          String(opened),
          expected.toFixed(2),
          `${((100 * expected) / users).toFixed(3)} %`,
        ]),
      ),
      2,
    ),
    'All tries against one account:',
    toTable(
      ['Attacker', 'PINs', 'Days', 'Tries', 'Chance'],
      one.flatMap(({ addresses, choices, states }) =>
        states.map(({ days, tries, expected }) => [
          addresses === 1 ? '1 address' : `${addresses.toLocaleString('en')} addresses`,
          choices,
          String(days),
          String(tries),
          `${(100 * expected).toFixed(2)} %`,
        ]),
      ),
      2,
    ),
    'All tries against sites with fewer users:',
    toSiteTable(of('smallSite')),
    'The same if the attacker has a million other, older accounts:',
    toSiteTable(of('madeInAdvance')),
    'One attacker on a network from which all users of the site have signed in (a campus, a carrier, a VPN):',
    toSiteTable(of('sharedNetwork')),
    `An attacker who only wants to lock others out tries the most popular PINs for a day on accounts of their own, where they are wrong. Then owners sign in
from a new place with only name and PIN, while the attack continues:`,
    toTable(
      ['Attacker', 'Own accounts', 'Tries', 'PINs closed', 'Owners who must wait', 'Longest wait'],
      closed.map(({ addresses, accounts, tries, pins, owners: asked, refused, waitSecondsMax }) => [
        `${addresses.toLocaleString('en')} addresses`,
        accounts.toLocaleString('en'),
        tries.toLocaleString('en'),
        pins.toLocaleString('en'),
        `${((100 * refused) / asked).toFixed(1)} %`,
        `${Math.ceil(waitSecondsMax / 60)} min`,
      ]),
      1,
    ),
    ...(owners ? [describeOwners(owners)] : []),
  ].join('\n\n')
}

function toSiteTable(attacked: readonly Attacked[]): string {
  return toTable(
    ['Attacker', 'PINs', 'Users', 'Days', 'Tries', 'Opened', 'On average', 'Of all accounts'],
    attacked.flatMap(({ addresses, choices, users, states }) =>
      states.map(({ days, tries, opened, expected }) => [
        addresses === 1 ? '1 address' : `${addresses.toLocaleString('en')} addresses`,
        choices,
        users.toLocaleString('en'),
        String(days),
        tries.toLocaleString('en'),
        String(opened),
        expected.toFixed(2),
        `${((100 * expected) / users).toFixed(2)} %`,
      ]),
    ),
    2,
  )
}

function describeOwners({ tried, browser, network, code, nothing }: OwnerDays): string {
  const share = (count: number) => `${((100 * count) / tried).toFixed(0)} %`
  const table = toTable(
    ['The owner signs in', 'At once'],
    [
      ['in a browser that has signed in before, from anywhere', share(browser)],
      ['from a network that has signed in before, without any cookie', share(network)],
      ['from anywhere, with a code from a signed-in browser', share(code)],
      ['with only name and PIN', share(nothing)],
    ],
  )
  return `During the attack from all addresses, owners of attacked accounts sign in on every day (${tried} times in each way):\n\n${table}`
}

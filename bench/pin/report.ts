import { toTable } from '../table.ts'
import type { AttackState } from './attack.ts'
import type { Closed } from './close.ts'
import type { OwnerDays } from './owners.ts'

/** One attack, looked at after some days. */
export type Attacked = {
  readonly kind: 'everybody' | 'one' | 'smallSite' | 'sharedNetwork' | 'madeInAdvance'
  readonly addresses: number
  readonly choices: string
  /** Accounts of the site. */
  readonly users: number
  readonly states: readonly AttackState[]
}

type Simulated = {
  readonly command: string
  readonly users: number
  readonly seed: number
  readonly attacked: readonly Attacked[]
  readonly closed: readonly Closed[]
  readonly owners: OwnerDays | undefined
}

/** The section "PINs under attack" of the document. */
export function toSection({ command, users, seed, attacked, closed, owners }: Simulated): string {
  const of = (wanted: Attacked['kind']) => attacked.filter(({ kind }) => kind === wanted)
  const [all, one] = [of('everybody'), of('one')]
  return [
    '## PINs under attack',
    `What an attacker gains on a site of ${users.toLocaleString('en')} users: a simulation with a told clock that sends every try through the server's own
accounts, guard and store (SQLite). Only the hash costs nothing: the attacker never waits for it. Seed of the users' PINs: ${seed}.`,
    `\`\`\`sh\n${command}\n\`\`\``,
    `The attacker knows every name, every rule and how people choose PINs, uses all addresses at the very second at which a try is let in, and wastes none;
nothing speaks for him. _Even_: PINs as a die throws them. _Human_: the twenty most frequent of leaked PINs have their real shares (\`1234\` is one in
nine), and the attacker tries those first. _Opened_ are the accounts of this run, _on average_ what such tries open with those shares.`,
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
    'All of it against one account:',
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
    `All of it against sites of fewer users, with PINs as people choose them. What is opened hardly depends on how many users there are,
so that its share of them does:`,
    toSiteTable(of('smallSite')),
    'The same when the attacker has had a million accounts of his own for long, and attacks the others:',
    toSiteTable(of('madeInAdvance')),
    'One attacker on a network that all users of a site have signed in from (a campus, a carrier, a VPN):',
    toSiteTable(of('sharedNetwork')),
    `Somebody who wants nothing but to keep others out: for a day he is wrong with the most popular PINs, on accounts that he made for it. Then
owners come from a new place with nothing but name and PIN:`,
    toTable(
      ['Attacker', 'Accounts made for it', 'Tries', 'PINs closed', 'Owners who have to wait'],
      closed.map(({ addresses, accounts, tries, pins, owners: asked, refused }) => [
        `${addresses.toLocaleString('en')} addresses`,
        accounts.toLocaleString('en'),
        tries.toLocaleString('en'),
        pins.toLocaleString('en'),
        `${((100 * refused) / asked).toFixed(1)} %`,
      ]),
      1,
    ),
    ...(owners ? [describeOwners(owners)] : []),
  ].join('\n\n')
}

function toSiteTable(attacked: readonly Attacked[]): string {
  return toTable(
    ['Attacker', 'Users', 'Days', 'Tries', 'Opened', 'On average', 'Of all accounts'],
    attacked.flatMap(({ addresses, users, states }) =>
      states.map(({ days, tries, opened, expected }) => [
        addresses === 1 ? '1 address' : `${addresses.toLocaleString('en')} addresses`,
        users.toLocaleString('en'),
        String(days),
        tries.toLocaleString('en'),
        String(opened),
        expected.toFixed(2),
        `${((100 * expected) / users).toFixed(2)} %`,
      ]),
    ),
    1,
  )
}

function describeOwners({ tried, browser, network, code, nothing }: OwnerDays): string {
  const share = (count: number) => `${((100 * count) / tried).toFixed(0)} %`
  const table = toTable(
    ['The owner comes', 'Let in at once'],
    [
      ['in a browser that has signed in before, from anywhere', share(browser)],
      ['from a network that has signed in before, without any cookie', share(network)],
      ['from anywhere, with a code from a signed-in browser', share(code)],
      ['with nothing but name and PIN', share(nothing)],
    ],
  )
  return `Meanwhile owners of attacked accounts sign in, each on each day of the attack from all addresses (${tried} times in each way):\n\n${table}`
}

import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { createRandom } from '@chainboard/devnet'
import { makeFolder, removeFolder } from '../children.ts'
import { writeSection } from '../docsSection.ts'
import { parseCount } from '../parseCount.ts'
import { attack, clientName } from './attack.ts'
import { type Closed, closePins } from './close.ts'
import { followOwners, type OwnerDays } from './owners.ts'
import { evenChoices, humanChoices, type PinChoices } from './pinChoices.ts'
import { type Attacked, toSection } from './report.ts'
import { openSimWorld } from './simWorld.ts'

export const usage = `npm run bench -- pin [--users n] [--seed n] [--out file]
  --users  accounts of the site (default 10000)
  --seed   of the PINs they have (default 1)
  --out    the document whose section "PINs under attack" is written (default docs/benchmarks.md)`

const usersMax = 100_000
const days = [1, 7, 30]
const addresses = [1, 10, 1_000, 10_000]
const mostAddresses = Math.max(...addresses)
const bothChoices = [evenChoices, humanChoices]
/** Accounts of sites on which an attack that opens ten accounts opens more than a thousandth of them. */
const smallSites = [100, 500, 1_000, 2_000]
/** Owners who share one network with the attacker. */
const sharers = 2_000
const madeInAdvance = 1_000_000
/** Who keeps others out: addresses, and accounts made for it. */
const closers = [
  { addresses: 2, accounts: 40 },
  { addresses: 3, accounts: 40 },
  { addresses: 256, accounts: 2_000 },
]
const closingHours = 24
const ownersFollowed = 10

type Plan = {
  readonly kind: Attacked['kind']
  readonly choices: PinChoices
  readonly from: number
  /** Accounts; those that were asked for when absent. */
  readonly site?: number
}

/** Simulates, prints, and writes the section. @throws Error when the guard lets in or refuses other than its rules say */
export async function run(args: string[], signal: AbortSignal): Promise<void> {
  const { users, seed, out } = parseOptions(args)
  const folder = makeFolder('pin')
  const attacked: Attacked[] = []
  let owners: OwnerDays | undefined
  const simulate = async ({ kind, choices, from, site = users }: Plan) => {
    const started = performance.now()
    const isShared = kind === 'sharedNetwork'
    const world = await openSimWorld(folder, {
      users: site,
      choices,
      random: createRandom(String(seed)).next,
      ...(isShared ? { network: clientName(0) } : {}),
      ...(kind === 'madeInAdvance' ? { madeInAdvance } : {}),
    })
    // The last ones are attacked like all others.
    const isFollowed = kind === 'everybody' && from === mostAddresses && choices === evenChoices
    const followed = isFollowed ? Array.from({ length: Math.min(ownersFollowed, site) }, (_, i) => site - 1 - i) : []
    const { got, tryAll } = await followOwners(world, followed)
    const plan = { addresses: from, choices, days, signal, isShared, onDay: tryAll }
    const states = await attack(world, { ...plan, ...(kind === 'one' ? { targets: 1 } : {}) })
    await world.store.close()
    if (isFollowed) owners = got
    attacked.push({ kind, addresses: from, choices: choices.name, users: site, states })
    const { tries = 0, opened = 0 } = states.at(-1) ?? {}
    const seconds = Math.round((performance.now() - started) / 1000)
    console.log(`${kind}, ${choices.name}, ${from} addresses, ${site} accounts: ${tries} tries, ${opened} opened (${seconds} s)`)
  }
  const closed: Closed[] = []
  try {
    for (const closer of closers) {
      const site = { users, choices: humanChoices, random: createRandom(String(seed)).next }
      const world = await openSimWorld(folder, site)
      closed.push(await closePins(world, { ...closer, choices: humanChoices, hours: closingHours, signal }))
      await world.store.close()
      console.log(`closing: ${JSON.stringify(closed.at(-1))}`)
    }
    const smallest = { choices: humanChoices, from: mostAddresses }
    for (const site of smallSites) await simulate({ kind: 'smallSite', ...smallest, site })
    await simulate({ kind: 'madeInAdvance', ...smallest, site: 2_000 })
    await simulate({ kind: 'sharedNetwork', choices: humanChoices, from: 1, site: sharers })
    for (const from of addresses) for (const choices of bothChoices) await simulate({ kind: 'one', choices, from })
    for (const from of addresses) for (const choices of bothChoices) await simulate({ kind: 'everybody', choices, from })
    const command = `npm run bench -- pin${args.map((arg) => ` ${arg}`).join('')}`
    const section = toSection({ command, users, seed, attacked, closed, owners })
    console.log(`\n${section}`)
    writeSection(out, 'pin', section)
    console.log(`Written to ${out}`)
  } finally {
    removeFolder(folder)
  }
}

function parseOptions(args: string[]) {
  const { values } = parseArgs({
    args,
    options: {
      users: { type: 'string', default: '10000' },
      seed: { type: 'string', default: '1' },
      out: { type: 'string', default: resolve(import.meta.dirname, '../../docs/benchmarks.md') },
    },
  })
  const toCount = (option: 'users' | 'seed', max: number) => parseCount({ option, text: values[option], max, usage })
  return { users: toCount('users', usersMax), seed: toCount('seed', 2 ** 31), out: values.out }
}

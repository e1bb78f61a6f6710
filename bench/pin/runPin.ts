import { parseArgs } from 'node:util'
import { createRandom } from '@chainboard/devnet'
import { makeFolder, removeFolder } from '../children.ts'
import { measureSection, outOption } from '../measureSection.ts'
import { parseCount } from '../parseCount.ts'
import { attack, clientName } from './attack.ts'
import { type Closed, closePins } from './close.ts'
import { followOwners, type OwnerDays } from './owners.ts'
import { earlyChoices, newChoices, type PinChoices, stubbornChoices } from './pinChoices.ts'
import { type Attacked, toSection } from './report.ts'
import { openSimWorld } from './simWorld.ts'

export const usage = `npm run bench -- pin [--users n] [--seed n] [--out file]
  --users  of the site (default 10000)
  --seed   decides their PINs (default 1)
  --out    the document with the section "PINs under attack" (default docs/benchmarks.md)`

const usersMax = 100_000
const days = [1, 7, 30]
const addresses = [1, 10, 1_000, 10_000]
const mostAddresses = Math.max(...addresses)
const bothChoices = [newChoices, earlyChoices]
/** Sites of which a few opened accounts are more than a thousandth: their users, and the PINs that these chose. */
const smallSites = [
  { choices: newChoices, sites: [100, 500, 2_000] },
  { choices: stubbornChoices, sites: [100] },
  { choices: earlyChoices, sites: [100, 2_000] },
]
/** Owners who share one network with the attacker. */
const sharers = 2_000
const madeInAdvance = 1_000_000
/** Attackers who keep others out: their addresses and accounts. */
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
  /** Accounts of the site. Absent: `--users`. */
  readonly site?: number
}

/** Simulates attackers who guess PINs. @throws CheckFailed when the guard admits or refuses against its rules */
export async function run(args: string[], signal: AbortSignal): Promise<void> {
  const { users, seed, out } = parseOptions(args)
  await measureSection({ name: 'pin', args, out }, async (measuring) => {
    const site: Site = { folder: makeFolder('pin'), users, seed, signal }
    const closed = await simulateClosers(site)
    const attacked: Attacked[] = []
    let owners: OwnerDays | undefined
    for (const plan of listPlans()) {
      const simulated = await simulate(site, plan)
      attacked.push(simulated.attacked)
      owners = simulated.owners ?? owners
    }
    removeFolder(site.folder)
    return toSection({ ...measuring, users, seed, attacked, closed, owners })
  })
}

type Site = { readonly folder: string; readonly users: number; readonly seed: number; readonly signal: AbortSignal }

/** Quick ones first. */
function listPlans(): Plan[] {
  const smallest = { choices: newChoices, from: mostAddresses }
  const ofAll = (kind: Plan['kind']) => addresses.flatMap((from) => bothChoices.map((choices) => ({ kind, choices, from })))
  return [
    ...smallSites.flatMap(({ choices, sites }) =>
      sites.map((site): Plan => ({ kind: 'smallSite', choices, from: mostAddresses, site })),
    ),
    { kind: 'madeInAdvance', ...smallest, site: 2_000 },
    ...bothChoices.map((choices): Plan => ({ kind: 'sharedNetwork', choices, from: 1, site: sharers })),
    ...ofAll('one'),
    ...ofAll('everybody'),
  ]
}

/** @returns also how owners fared, if they were followed in this attack */
async function simulate({ folder, users, seed, signal }: Site, { kind, choices, from, site = users }: Plan) {
  const started = performance.now()
  const isShared = kind === 'sharedNetwork'
  const world = await openSimWorld(folder, {
    users: site,
    choices,
    random: createRandom(String(seed)).next,
    ...(isShared ? { network: clientName(0) } : {}),
    ...(kind === 'madeInAdvance' ? { madeInAdvance } : {}),
  })
  // The last accounts are attacked like all others.
  const isFollowed = kind === 'everybody' && from === mostAddresses && choices === newChoices
  const followed = isFollowed ? Array.from({ length: Math.min(ownersFollowed, site) }, (_, i) => site - 1 - i) : []
  const { got, tryAll } = await followOwners(world, followed)
  const plan = { addresses: from, choices, days, signal, isShared, onDay: tryAll }
  const states = await attack(world, { ...plan, ...(kind === 'one' ? { targets: 1 } : {}) })
  await world.store.close()
  const { tries = 0, opened = 0 } = states.at(-1) ?? {}
  const seconds = Math.round((performance.now() - started) / 1000)
  console.log(`${kind}, ${choices.name}, ${from} addresses, ${site} accounts: ${tries} tries, ${opened} opened (${seconds} s)`)
  const attacked: Attacked = { kind, addresses: from, choices: choices.name, users: site, states }
  return { attacked, owners: isFollowed ? got : undefined }
}

async function simulateClosers({ folder, users, seed, signal }: Site): Promise<Closed[]> {
  const closed: Closed[] = []
  for (const closer of closers) {
    const world = await openSimWorld(folder, { users, choices: newChoices, random: createRandom(String(seed)).next })
    closed.push(await closePins(world, { ...closer, choices: newChoices, hours: closingHours, signal }))
    await world.store.close()
    console.log(`closing: ${JSON.stringify(closed.at(-1))}`)
  }
  return closed
}

function parseOptions(args: string[]) {
  const { values } = parseArgs({
    args,
    options: {
      users: { type: 'string', default: '10000' },
      seed: { type: 'string', default: '1' },
      out: outOption,
    },
  })
  const toCount = (option: 'users' | 'seed', max: number) => parseCount({ option, text: values[option], max })
  return { users: toCount('users', usersMax), seed: toCount('seed', 2 ** 31), out: values.out }
}

import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { createRandom } from '@chainboard/devnet'
import { makeFolder, removeFolder } from '../children.ts'
import { writeSection } from '../docsSection.ts'
import { parseCount } from '../parseCount.ts'
import { type AttackState, attack } from './attack.ts'
import { followOwners, type OwnerDays } from './owners.ts'
import { evenChoices, humanChoices, type PinChoices } from './pinChoices.ts'
import { toSection } from './report.ts'
import { openSimWorld } from './simWorld.ts'

const usage = `npm run bench -- pin [--users n] [--seed n] [--out file]
  --users  accounts of the site (default 10000)
  --seed   of the PINs they have (default 1)
  --out    the document whose section "PINs under attack" is written (default docs/benchmarks.md)`

const usersMax = 100_000
const days = [1, 7, 30]
const addresses = [1, 10, 10_000]
const mostAddresses = Math.max(...addresses)
const bothChoices = [evenChoices, humanChoices]
/** Accounts of sites so small that a thousandth of them is less than one. */
const smallSites = [100, 1_000]
const ownersFollowed = 10

/** `site`: accounts, those that were asked for when absent. */
type Plan = { readonly choices: PinChoices; readonly from: number; readonly site?: number; readonly targets?: number }

/** One attack, looked at after some days. */
export type Attacked = {
  readonly addresses: number
  readonly choices: string
  /** Accounts of the site. */
  readonly users: number
  /** Undefined: all of them. */
  readonly targets: number | undefined
  readonly states: readonly AttackState[]
}

/** Simulates, prints, and writes the section. @throws Error when the guard lets in or refuses other than its rules say */
export async function run(args: string[], signal: AbortSignal): Promise<void> {
  const { users, seed, out } = parseOptions(args)
  const folder = makeFolder('pin')
  const attacked: Attacked[] = []
  let owners: OwnerDays | undefined
  const simulate = async ({ choices, from, site = users, targets }: Plan) => {
    const started = performance.now()
    const world = await openSimWorld(folder, { users: site, choices, random: createRandom(String(seed)).next })
    // The last ones are attacked like all others.
    const followed = targets ? [] : Array.from({ length: Math.min(ownersFollowed, site) }, (_, i) => site - 1 - i)
    const { got, tryAll } = await followOwners(world, followed)
    const states = await attack(world, {
      addresses: from,
      choices,
      days,
      signal,
      onDay: tryAll,
      ...(targets ? { targets } : {}),
    })
    await world.store.close()
    if (from === mostAddresses && choices === evenChoices && site === users && !targets) owners = got
    attacked.push({ addresses: from, choices: choices.name, users: site, targets, states })
    const { tries = 0, opened = 0 } = states.at(-1) ?? {}
    const seconds = Math.round((performance.now() - started) / 1000)
    console.log(
      `${choices.name}, ${from} addresses, ${targets ?? site} accounts: ${tries} tries, ${opened} opened (${seconds} s)`,
    )
  }
  try {
    for (const from of addresses) for (const choices of bothChoices) await simulate({ choices, from })
    for (const choices of bothChoices) await simulate({ choices, from: mostAddresses, targets: 1 })
    for (const site of smallSites) await simulate({ choices: humanChoices, from: mostAddresses, site })
    const command = `npm run bench -- pin${args.map((arg) => ` ${arg}`).join('')}`
    const section = toSection({ command, users, seed, attacked, owners })
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
      out: { type: 'string', default: resolve(import.meta.dirname, '../../../docs/benchmarks.md') },
    },
  })
  const toCount = (option: 'users' | 'seed', max: number) => parseCount({ option, text: values[option], max, usage })
  return { users: toCount('users', usersMax), seed: toCount('seed', 2 ** 31), out: values.out }
}

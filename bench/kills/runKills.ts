import { parseArgs } from 'node:util'
import type { Devnet } from '@chainboard/devnet'
import { WrongOption } from '../../tools/wrongOption.ts'
import { CheckFailed } from '../checkFailed.ts'
import { startMarket } from '../faults/market.ts'
import { makeNetworks } from '../faults/networks.ts'
import { toAddress } from '../hex.ts'
import { type Measuring, measureSection, outOption } from '../measureSection.ts'
import { parseCount } from '../parseCount.ts'
import { startPostgres } from '../postgres.ts'
import { toHead } from '../sectionHead.ts'
import { median } from '../statistics.ts'
import { toTable } from '../table.ts'
import { withDevnet } from '../withDevnet.ts'
import { type Killed, killOften, type Plan } from './killOften.ts'

export const usage = `npm run bench -- kills [--kills n] [--store sqlite|postgres|both] [--seed text] [--out file]
  --kills    of each store (default 100)
  --store    default both, at the same time
  --seed     decides when to kill and what clients write (default: the time)
  --out      the document with the section "Kills" (default docs/benchmarks.md)`

const stores: Readonly<Record<string, readonly Killed['store'][]>> = {
  sqlite: ['SQLite'],
  postgres: ['PostgreSQL'],
  both: ['SQLite', 'PostgreSQL'],
}

/** Ends the real server by SIGKILL at random moments, and counts what is lost. @throws Error when anything is */
export async function run(args: string[], signal: AbortSignal): Promise<void> {
  const { values } = parseArgs({
    args,
    options: {
      kills: { type: 'string', default: '100' },
      store: { type: 'string', default: 'both' },
      seed: { type: 'string', default: String(Math.floor(Date.now() / 1_000)) },
      out: outOption,
    },
  })
  const kills = parseCount({ option: 'kills', text: values.kills, max: 10_000 })
  const wanted = Object.hasOwn(stores, values.store) ? stores[values.store] : undefined
  if (!wanted) throw new WrongOption(`--store: found ${values.store}, expected sqlite, postgres or both`)
  const { seed } = values
  console.log(`seed ${seed}`)
  await measureSection({ name: 'kills', args: ['--seed', seed], out: values.out }, async (measuring) => {
    const all = await withDevnet({ history: 'short', live: false, signal }, (devnet) =>
      killServers(devnet, wanted, { kills, seed, signal }),
    )
    const section = toSection(measuring, all)
    const differences = all.flatMap(({ store, lost, difference }) => [`${store}: ${difference ?? 'no difference'}`, ...lost])
    signal.throwIfAborted()
    if (all.some(isBad)) throw new CheckFailed([section, ...differences, `Not survived, with --seed ${seed}`].join('\n'))
    return section
  })
}

type Order = { readonly kills: number; readonly seed: string; readonly signal: AbortSignal }

async function killServers(devnet: Devnet, wanted: readonly Killed['store'][], order: Order): Promise<Killed[]> {
  const postgres = wanted.includes('PostgreSQL') ? await startPostgres(order.signal) : undefined
  if (wanted.includes('PostgreSQL') && !postgres) throw new WrongOption('--store: PostgreSQL is not installed')
  const market = startMarket(devnet)
  try {
    const tokens = devnet.tokens.map(({ address }) => toAddress(address))
    const shared = { ...order, rpcUrl: devnet.rpcUrl, networksDir: makeNetworks(), tokens, market }
    const plans: Plan[] = []
    for (const store of wanted)
      plans.push({
        ...shared,
        store,
        databaseUrl: store === 'PostgreSQL' ? await postgres?.createDatabase('kills') : undefined,
      })
    return await Promise.all(plans.map(killOften))
  } finally {
    await market.stop()
    await postgres?.stop()
  }
}

function isBad({ lost, overAdmitted, difference }: Killed): boolean {
  return lost.length > 0 || overAdmitted > 0 || difference !== undefined
}

/** The section "Kills" of the document. */
export function toSection(measuring: Measuring, all: readonly Killed[]): string {
  const head = ['Store', 'Kills', 'Reorgs', 'Acknowledged writes', 'Lost', 'Priced requests', 'Over-admitted', 'Index', 'Start']
  const rows = all.map((each) => [
    each.store,
    ...[each.kills, each.reorgs, each.acknowledged, each.lost.length, each.answered, each.overAdmitted].map(String),
    each.difference === undefined ? 'equal' : '**differs**',
    `${(median(each.startsMs) / 1_000).toFixed(1)} s`,
  ])
  return [
    ...toHead({
      ...measuring,
      title: 'Kills',
      about: `The server process is ended by \`kill -9\` at random moments (one in ten during its start) and started again. Meanwhile a real chain has a trade per second
and sometimes a reorg of up to 6 blocks. Until each kill, six users register, leave, and change favourites and wallets, wallets create free keys, and
eight clients use up a key's 600 requests of the day. Both stores run at the same time.

_Lost_: acknowledged, but missing after the next start. _Over-admitted_: answered beyond a key's daily limit. _Index_: all tables compared row by row with an index made from scratch, sums compared with their rows, and the integrity of
the file checked. _Start_: median, until the server listens.`,
    }),
    toTable(head, rows),
  ].join('\n\n')
}

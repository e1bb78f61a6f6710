import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { parseAddress } from '@chainboard/core'
import { startDevnet } from '@chainboard/devnet'
import { writeSection } from '../docsSection.ts'
import { startMarket } from '../faults/market.ts'
import { makeNetworks } from '../faults/networks.ts'
import { describeMachine } from '../machine.ts'
import { parseCount } from '../parseCount.ts'
import { startPostgres } from '../postgres.ts'
import { median } from '../statistics.ts'
import { toTable } from '../table.ts'
import { type Killed, killOften, type Plan } from './killOften.ts'

export const usage = `npm run bench -- kills [--kills n] [--store sqlite|postgres|both] [--seed text] [--out file]
  --kills    of each store (default 100)
  --store    default both, at the same time
  --seed     decides the moments of the kills and what clients write (default: the time)
  --out      the document whose section "Kills" is written (default docs/benchmarks.md)`

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
      out: { type: 'string', default: resolve(import.meta.dirname, '../../docs/benchmarks.md') },
    },
  })
  const kills = parseCount({ option: 'kills', text: values.kills, max: 10_000, usage })
  const wanted = Object.hasOwn(stores, values.store) ? stores[values.store] : undefined
  if (!wanted) throw new Error(`--store: found ${values.store}, wanted sqlite, postgres or both\n${usage}`)
  const { seed } = values
  console.log(`seed ${seed}`)
  const machine = describeMachine()
  const onProgress = (text: string) => console.log(`devnet: ${text}`)
  const devnet = await startDevnet({ history: 'short', live: false, signal, onProgress })
  const postgres = wanted.includes('PostgreSQL') ? await startPostgres(signal) : undefined
  const market = startMarket(devnet)
  try {
    if (wanted.includes('PostgreSQL') && !postgres) throw new Error('--store: PostgreSQL is not installed')
    const tokens = devnet.tokens.flatMap(({ address }) => parseAddress(address) ?? [])
    const shared = { kills, seed, rpcUrl: devnet.rpcUrl, networksDir: makeNetworks(), tokens, market, signal }
    const plans: Plan[] = []
    for (const store of wanted)
      plans.push({
        ...shared,
        store,
        databaseUrl: store === 'PostgreSQL' ? await postgres?.createDatabase('kills') : undefined,
      })
    const all = await Promise.all(plans.map(killOften))
    const section = toSection(all, seed, machine.words)
    console.log(`\n${section}`)
    for (const { store, lost, difference } of all) console.log([`${store}: ${difference ?? 'no difference'}`, ...lost].join('\n'))
    signal.throwIfAborted()
    if (all.some(isBad)) throw new Error(`Not survived, with --seed ${seed}`)
    writeSection(values.out, 'kills', section)
    console.log(`Written to ${values.out}`)
  } finally {
    await market.stop()
    await devnet.stop()
    await postgres?.stop()
  }
}

function isBad({ lost, overAdmitted, difference }: Killed): boolean {
  return lost.length > 0 || overAdmitted > 0 || difference !== undefined
}

function toSection(all: readonly Killed[], seed: string, machine: readonly string[]): string {
  const head = ['Store', 'Kills', 'Reorgs', 'Acknowledged writes', 'Lost', 'Priced requests', 'Over-admitted', 'Index', 'Start']
  const rows = all.map((each) => [
    each.store,
    ...[each.kills, each.reorgs, each.acknowledged, each.lost.length, each.answered, each.overAdmitted].map(String),
    each.difference === undefined ? 'equal' : '**differs**',
    `${(median(each.startsMs) / 1_000).toFixed(1)} s`,
  ])
  return [
    '## Kills',
    `The server as a process, ended by \`kill -9\` at random moments (one in ten while it starts) and started again, while a real chain trades
once a second and sometimes replaces up to 6 of its newest blocks. Until each kill, six users register, leave, and change favourites and
wallets, wallets make free keys, and eight clients spend the day of a key of 600 requests. _Lost_: acknowledged and not there after the
next start. _Over-admitted_: answered beyond a key's day. _Index_: all tables, row by row, beside an index from scratch; then also kept sums
beside their rows, and the file's integrity. _Start_: median, until the server listens. Both stores at the same time.`,
    `\`\`\`sh\nnpm run bench -- kills --seed ${seed}\n\`\`\``,
    machine.map((line) => `- ${line}`).join('\n'),
    toTable(head, rows),
  ].join('\n\n')
}

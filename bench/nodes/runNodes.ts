import { parseArgs } from 'node:util'
import { drawWorld, lies } from '../../server/testing/simulation/majority/drawWorld.ts'
import { playWorld, promises, type WorldOutcome } from '../../server/testing/simulation/majority/playWorld.ts'
import { type Measuring, measureSection, outOption } from '../measureSection.ts'
import { parseCount } from '../parseCount.ts'
import { toHead } from '../sectionHead.ts'
import { percentile } from '../statistics.ts'
import { toTable } from '../table.ts'

export const usage = `npm run bench -- nodes [--worlds n] [--first n]
npm run bench -- nodes --seed n
  --worlds  to play (default 1000)
  --first   the first seed (default 1)
  --seed    plays this world and prints the server's messages
  --out     the document with the section "Nodes" (default docs/benchmarks.md)`

const options = {
  worlds: { type: 'string', default: '1000' },
  first: { type: 'string', default: '1' },
  seed: { type: 'string' },
  out: outOption,
} as const

/** One world, and what happened in it. */
export type Played = { readonly seed: number; readonly outcome: WorldOutcome }

/** Plays worlds in which most nodes are honest, and measures how long the server is wrong or behind. */
export async function run(args: string[], signal: AbortSignal): Promise<void> {
  const { values } = parseArgs({ args, options })
  const parse = (option: 'worlds' | 'first' | 'seed', text: string) => parseCount({ option, text, max: 100_000_000 })
  if (values.seed !== undefined) return replay(parse('seed', values.seed))
  const first = parse('first', values.first)
  const worlds = parse('worlds', values.worlds)
  const repeat = ['--first', String(first), '--worlds', String(worlds)]
  await measureSection({ name: 'nodes', args: repeat, out: values.out }, async (measuring) => {
    const played: Played[] = []
    for (let seed = first; seed < first + worlds && !signal.aborted; seed += 1) {
      const outcome = await playWorld(drawWorld(seed))
      played.push({ seed, outcome })
      if (outcome.breaches.length > 0) console.log(`seed ${seed}: ${outcome.breaches.join('; ')}`)
      if (played.length % 100 === 0) console.log(`${played.length} of ${worlds}`)
    }
    signal.throwIfAborted()
    return toSection(measuring, played)
  })
}

async function replay(seed: number): Promise<void> {
  const world = drawWorld(seed)
  console.log(JSON.stringify(world, null, 2))
  console.log(await playWorld(world, console.log))
}

/** The section "Nodes" of the document. */
export function toSection(measuring: Measuring, played: readonly Played[]): string {
  const breached = played.filter(({ outcome }) => outcome.breaches.length > 0)
  const toRow = (what: string, wanted: number, read: (outcome: WorldOutcome) => number) => {
    const found = played.map(({ outcome }) => read(outcome))
    const missed = found.filter((seconds) => seconds > wanted).length
    const figures = [50, 90, 99, 100].map((percent) => Math.round(percentile(found, percent)))
    return [what, ...[...figures, wanted, missed].map(String)]
  }
  return [
    ...toHead({
      ...measuring,
      title: 'Nodes',
      about: `Simulated networks of three to five nodes. More than half of them are honest and answer most of the time. The others show one of ${lies.length} faults after
another, for 10 to 25 minutes each: to all clients, to the index only, to simultaneous calls, or to single calls. The server's own parts follow
the chain through these nodes.`,
    }),
    toTable(
      ['Seconds', '50 %', '90 %', '99 %', 'Max', 'Goal', 'Networks above it'],
      [
        toRow('`live` on a block that is not on the chain', promises.falseLive, ({ falseLive }) => falseLive),
        toRow('off the chain, or more than 3 blocks and 30 s behind', promises.off, ({ off }) => off),
        toRow(
          'until `live` and right, once all nodes are honest',
          promises.backAfter,
          ({ backAfter }) => backAfter ?? Number.POSITIVE_INFINITY,
        ),
      ],
    ),
    `${played.length} networks, ${breached.length} of them above a goal: ${breached.map(({ seed }) => seed).join(', ') || 'none'}.`,
  ].join('\n\n')
}

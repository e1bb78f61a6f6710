import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { drawWorld, lies } from '../../server/testing/simulation/majority/drawWorld.ts'
import { playWorld, promises, type WorldOutcome } from '../../server/testing/simulation/majority/playWorld.ts'
import { writeSection } from '../docsSection.ts'
import { describeMachine } from '../machine.ts'
import { parseCount } from '../parseCount.ts'
import { toTable } from '../table.ts'

export const usage = `npm run bench -- nodes [--worlds n] [--first n]
npm run bench -- nodes --seed n
  --worlds  how many (default 1000)
  --first   the first seed (default 1)
  --seed    plays this one and prints what the server says meanwhile
  --out     the document whose section "Nodes" is written (default docs/benchmarks.md)`

const options = {
  worlds: { type: 'string', default: '1000' },
  first: { type: 'string', default: '1' },
  seed: { type: 'string' },
  out: { type: 'string', default: resolve(import.meta.dirname, '../../docs/benchmarks.md') },
} as const

type Played = { readonly seed: number; readonly outcome: WorldOutcome }

/** Looks for worlds in which an honest majority of nodes is not served well. */
export async function run(args: string[], signal: AbortSignal): Promise<void> {
  const { values } = parseArgs({ args, options })
  const parse = (option: 'worlds' | 'first', text: string) => parseCount({ option, text, max: 100_000_000, usage })
  if (values.seed !== undefined) return replay(parseCount({ option: 'seed', text: values.seed, max: 100_000_000, usage }))
  const first = parse('first', values.first)
  const worlds = parse('worlds', values.worlds)
  const played: Played[] = []
  for (let seed = first; seed < first + worlds && !signal.aborted; seed += 1) {
    const outcome = await playWorld(drawWorld(seed))
    played.push({ seed, outcome })
    if (outcome.breaches.length > 0) console.log(`seed ${seed}: ${outcome.breaches.join('; ')}`)
    if (played.length % 100 === 0) console.log(`${played.length} of ${worlds}`)
  }
  signal.throwIfAborted()
  const section = toSection(first, played)
  console.log(`\n${section}`)
  writeSection(values.out, 'nodes', section)
}

async function replay(seed: number): Promise<void> {
  const world = drawWorld(seed)
  console.log(JSON.stringify(world, null, 2))
  console.log(await playWorld(world, console.log))
}

function toSection(first: number, played: readonly Played[]): string {
  const breached = played.filter(({ outcome }) => outcome.breaches.length > 0)
  const shares = [0.5, 0.9, 0.99, 1] as const
  const toRow = (what: string, wanted: number, read: (outcome: WorldOutcome) => number) => {
    const sorted = played.map(({ outcome }) => read(outcome)).toSorted((a, b) => a - b)
    const at = shares.map((share) => sorted[Math.ceil(share * sorted.length) - 1] ?? 0)
    const missed = sorted.filter((seconds) => seconds > wanted).length
    return [what, ...at.map((seconds) => Math.round(seconds).toString()), String(wanted), String(missed)]
  }
  return [
    '## Nodes',
    `Made-up worlds of three to five nodes, of which more than half tell the truth and answer most of the time. The others do one of ${lies.length} things after
another for 10 to 25 minutes: to everybody, to the index alone, to calls of one moment, or to calls that come alone. The server's own parts follow the
chain through them.`,
    `\`\`\`sh\nnpm run bench -- nodes --first ${first} --worlds ${played.length}\n\`\`\``,
    describeMachine()
      .words.map((line) => `- ${line}`)
      .join('\n'),
    toTable(
      ['Seconds', '50 %', '90 %', '99 %', 'Most', 'Aim', 'Worlds over it'],
      [
        toRow('`live` on a block that is not of the chain', promises.falseLive, ({ falseLive }) => falseLive),
        toRow('off the chain, or more than 3 blocks and 30 s behind', promises.off, ({ off }) => off),
        toRow(
          'until `live` and right, once all tell the truth',
          promises.backAfter,
          ({ backAfter }) => backAfter ?? Number.POSITIVE_INFINITY,
        ),
      ],
    ),
    `${played.length} worlds, ${breached.length} of them over an aim: ${breached.map(({ seed }) => seed).join(', ') || 'none'}.`,
  ].join('\n\n')
}

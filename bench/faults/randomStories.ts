import { createRandom, type Devnet } from '@chainboard/devnet'
import { CheckFailed } from '../checkFailed.ts'
import { writeSection } from '../docsSection.ts'
import { toAddress } from '../hex.ts'
import { describeMachine } from '../machine.ts'
import { type Measuring, toCommand } from '../measureSection.ts'
import { toHead } from '../sectionHead.ts'
import { median } from '../statistics.ts'
import { toTable } from '../table.ts'
import { withDevnet } from '../withDevnet.ts'
import { indexFromScratch } from './compareWithScratch.ts'
import { drawStory, type Told } from './drawStory.ts'
import { startMarket } from './market.ts'
import { makeNetworks } from './networks.ts'
import { killSites } from './site.ts'
import { type Lane, openLane } from './storyLane.ts'

type Plan = {
  readonly stories: number
  readonly lanes: number
  readonly seed: string
  readonly out: string
  readonly signal: AbortSignal
}

/**
 * Plays short stories of random faults of a real node. Each server plays one at a time; then no block is mined until each index was
 * compared with one made from scratch, so that a difference belongs to one story.
 * @throws CheckFailed when one is not survived
 */
export async function runRandom({ stories, lanes, seed, out, signal }: Plan): Promise<void> {
  console.log(`seed ${seed}`)
  const args = ['--random', String(stories), '--lanes', String(lanes), '--seed', seed]
  const measuring = { command: toCommand('faults', args), machine: describeMachine() }
  const { told, lost, section } = await withDevnet({ history: 'short', live: false, signal }, (devnet) =>
    playAll(devnet, { stories, lanes, seed, signal }, measuring),
  )
  console.log(`\n${section}`)
  for (const words of lost) console.log(words)
  if (told.some(({ trouble }) => trouble !== undefined) || lost.length > 0)
    throw new CheckFailed(`Not survived, with --seed ${seed}`)
  writeSection(out, 'random-faults', section)
}

async function playAll(devnet: Devnet, { stories, lanes, seed, signal }: Omit<Plan, 'out'>, measuring: Measuring) {
  const startedAt = performance.now()
  const market = startMarket(devnet)
  try {
    const truth = { rpcUrl: devnet.rpcUrl, networksDir: makeNetworks(), signal }
    const servers = await openLanes(devnet, { lanes, seed, truth })
    const told: Told[] = []
    while (told.length < stories) {
      signal.throwIfAborted()
      const first = told.length + 1
      const players = servers.slice(0, stories - told.length)
      const round = await Promise.all(
        players.map((lane, i) => lane.play(drawStory(`${seed} ${first + i}`, first + i), market.reorg)),
      )
      const judged = await market.still(async () => {
        const scratch = await indexFromScratch(truth)
        return Promise.all(round.map((each, i) => players[i]?.judge(each, scratch) ?? each))
      })
      for (const each of judged) console.log(tell(each))
      told.push(...judged)
      if (judged.some(({ trouble }) => trouble !== undefined)) break
    }
    const lost = (await Promise.all(servers.map((lane) => lane.close()))).flat()
    const minutes = (performance.now() - startedAt) / 60_000
    return { told, lost, section: toSection({ ...measuring, told, sums: servers.map((lane) => lane.sums()), minutes }) }
  } finally {
    killSites()
    await market.stop()
  }
}

type Lab = { readonly lanes: number; readonly seed: string; readonly truth: Parameters<typeof indexFromScratch>[0] }

function openLanes(devnet: Devnet, { lanes, seed, truth }: Lab): Promise<Lane[]> {
  const tokens = devnet.tokens.map(({ address }) => toAddress(address))
  return Promise.all(
    Array.from({ length: lanes }, (_, i) => openLane({ tokens, random: createRandom(`${seed} lane ${i}`).next, ...truth })),
  )
}

function tell({ number, acts, reorgs, killed, recoverySeconds, trouble }: Told): string {
  const faults = acts.map(({ name, ms }) => `${name} for ${(ms / 1_000).toFixed(1)} s`).join(', ')
  const rest = [...reorgs.map((depth) => `reorg of ${depth}`), ...(killed ? ['kill -9'] : [])]
  const end = trouble ?? `equal, live after ${recoverySeconds.toFixed(1)} s`
  return `story ${number}: ${[faults, ...rest].join('; ')}: ${end}`
}

type Facts = Measuring & {
  readonly told: readonly Told[]
  /** Of each server. */
  readonly sums: readonly ReturnType<Lane['sums']>[]
  readonly minutes: number
}

/** The section "Random stories on a real node" of the document. */
export function toSection({ told, sums, minutes, ...measuring }: Facts): string {
  const sum = (of: (lane: ReturnType<Lane['sums']>) => number) => sums.reduce((all, lane) => all + of(lane), 0)
  const times = told.map(({ recoverySeconds }) => recoverySeconds)
  const rows = [
    ['Stories', told.length],
    ['Minutes', minutes.toFixed(0)],
    ['Faults', told.reduce((all, { acts }) => all + acts.length, 0)],
    ['Reorgs', told.reduce((all, { reorgs }) => all + reorgs.length, 0)],
    ['kill -9', told.filter(({ killed }) => killed).length],
    ['Index equal to one from scratch', told.filter(({ trouble }) => trouble === undefined).length],
    ['Acknowledged writes', sum(({ acknowledged }) => acknowledged)],
    ['Lost', sum(({ lost }) => lost.length)],
    ['Requests with a key answered', sum(({ answered }) => answered)],
    ['Over-admitted', sum(({ overAdmitted }) => overAdmitted)],
    ['Seconds from the last fault to `live`, median', median(times).toFixed(1)],
    ['The same, maximum', Math.max(...times).toFixed(1)],
  ]
  return [
    ...toHead({
      ...measuring,
      title: 'Random stories on a real node',
      about: `Each story combines one to three of the node faults in the table above, of 0.3 to 2.5 s each, against a real server process behind the same
proxy. Many include a reorg of up to 8 blocks; every fourth includes a \`kill -9\` while clients are writing. ${sums.length} servers run at a time. After
each story the chain makes no block until the server's index has been compared with one built from scratch.`,
    }),
    toTable(
      ['What', 'Number'],
      rows.map((row) => row.map(String)),
    ),
  ].join('\n\n')
}

import { parseAddress } from '@chainboard/core'
import { createRandom, type Devnet, startDevnet } from '@chainboard/devnet'
import { writeSection } from '../docsSection.ts'
import { describeMachine } from '../machine.ts'
import { median } from '../statistics.ts'
import { toTable } from '../table.ts'
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
 * Plays short stories of random faults of a real node. Each server plays one at a time; then no block is made until each index was
 * compared with one index from scratch, so that a difference belongs to one story.
 * @throws Error when one is not survived
 */
export async function runRandom({ stories, lanes, seed, out, signal }: Plan): Promise<void> {
  console.log(`seed ${seed}`)
  const machine = describeMachine()
  const startedAt = performance.now()
  const onProgress = (text: string) => console.log(`devnet: ${text}`)
  const devnet = await startDevnet({ history: 'short', live: false, signal, onProgress })
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
    const lost = await Promise.all(servers.map((lane) => lane.close()))
    const minutes = (performance.now() - startedAt) / 60_000
    const section = toSection({ told, servers, minutes, seed, machine: machine.words })
    console.log(`\n${section}`)
    for (const words of lost.flat()) console.log(words)
    if (told.some(({ trouble }) => trouble !== undefined) || lost.flat().length > 0)
      throw new Error(`Not survived, with --seed ${seed}`)
    writeSection(out, 'random-faults', section)
  } finally {
    killSites()
    await market.stop()
    await devnet.stop()
  }
}

type Lab = { readonly lanes: number; readonly seed: string; readonly truth: Parameters<typeof indexFromScratch>[0] }

function openLanes(devnet: Devnet, { lanes, seed, truth }: Lab): Promise<Lane[]> {
  const tokens = devnet.tokens.flatMap(({ address }) => parseAddress(address) ?? [])
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

type Facts = {
  readonly told: readonly Told[]
  readonly servers: readonly Lane[]
  readonly minutes: number
  readonly seed: string
  readonly machine: readonly string[]
}

function toSection({ told, servers, minutes, seed, machine }: Facts): string {
  const sum = (of: (lane: ReturnType<Lane['sums']>) => number) => servers.reduce((all, lane) => all + of(lane.sums()), 0)
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
    ['The longest', Math.max(...times).toFixed(1)],
  ]
  return [
    '## Random stories on a real node',
    `Each story is one to three of the faults of a node in the table above, of 0.3 to 2.5 s each, on a server as a process behind the same
proxy, often with a reorg of up to 8 blocks, and in every fourth a \`kill -9\` under writing clients. ${servers.length} servers play at a time. After
each story no block is made until the server's index was compared with one from scratch.`,
    `\`\`\`sh\nnpm run bench -- faults --random ${told.length} --lanes ${servers.length} --seed ${seed}\n\`\`\``,
    machine.map((line) => `- ${line}`).join('\n'),
    toTable(
      ['What', 'Figure'],
      rows.map((row) => row.map(String)),
    ),
  ].join('\n\n')
}

import type { Machine } from '../machine.ts'
import { median } from '../statistics.ts'
import { toTable } from '../table.ts'
import { base, type Result } from './measure.ts'

type Measured = {
  readonly command: string
  readonly machine: Machine
  readonly versions: Readonly<Record<string, string>>
  readonly tokens: number
  readonly hasNginx: boolean
  readonly price: readonly Result[]
  readonly list: readonly Result[]
}

/** The section "Price API" of the document. */
export function toSection({ command, machine, versions, tokens, hasNginx, price, list }: Measured): string {
  return [
    '## Price API',
    `What the server's processor does for a second, beside the same answers by others. Aims: one price at least 1.2 times bare \`node:http\`;
the list at least 48 times what packing it for each caller does.`,
    `\`\`\`sh\n${command}\n\`\`\``,
    machine.words.map((line) => `- ${line}`).join('\n'),
    Object.entries(versions)
      .map(([name, version]) => `- ${name} ${version}`)
      .join('\n'),
    ...(machine.busy ? ['**The machine was not quiet: these numbers hold for a loaded one.**'] : []),
    ...(hasNginx ? [] : ['nginx is not installed on this machine: it is missing here.']),
    `64 connections from another process, which takes the other core; each contestant in turn, round after round. Chainboard is the whole product
on a devnet that mines no blocks meanwhile, with CORS, \`ETag\`, \`RateLimit\`, request names, metrics, and quotas that are persisted before
they are spent; the others count in memory, in tables of the keys themselves, and send the body with little else, but for the one that sends our
headers. _For a CPU second_: answers for a second of the processor used by the server's processes, the median of ${price[0]?.rounds.length ?? 0} rounds and the lowest and the highest; ratios are medians of the rounds' own.`,
    '### One price',
    toResults(price, base.price),
    `### All ${tokens} prices`,
    toResults(list, base.list),
  ].join('\n\n')
}

function toResults(results: readonly Result[], against: string): string {
  const standard = results.find(({ contestant }) => contestant === against)?.rounds ?? []
  return toTable(
    ['', 'For a CPU second', 'Lowest', 'Highest', `Times ${against}`, 'In a second', 'Bytes'],
    results.map(({ contestant, rounds }) => {
      const all = rounds.map(({ perCpuSecond }) => perCpuSecond)
      const ratios = all.map((each, round) => each / (standard[round]?.perCpuSecond ?? Number.NaN))
      return [
        contestant,
        ...[median(all), Math.min(...all), Math.max(...all)].map((value) => String(Math.round(value))),
        median(ratios).toFixed(2),
        String(Math.round(median(rounds.map(({ perSecond }) => perSecond)))),
        String(Math.round(median(rounds.map(({ bytesEach }) => bytesEach)))),
      ]
    }),
  )
}

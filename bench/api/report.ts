import type { Measuring } from '../measureSection.ts'
import { toHead } from '../sectionHead.ts'
import { median } from '../statistics.ts'
import { toTable } from '../table.ts'
import { base, type Result } from './measure.ts'

type Measured = Measuring & {
  readonly versions: Readonly<Record<string, string>>
  readonly tokens: number
  readonly hasNginx: boolean
  readonly price: readonly Result[]
  readonly list: readonly Result[]
}

/** The section "Price API" of the document. */
export function toSection({ versions, tokens, hasNginx, price, list, ...measuring }: Measured): string {
  return [
    ...toHead({
      ...measuring,
      title: 'Price API',
      about: `How many answers the server gives per second of CPU time, compared with other servers that give the same answers. Goals: for one price at least 1.2 times
as many as bare \`node:http\`; for the list at least 48 times as many as a server that compresses it for each request.`,
      facts: Object.entries(versions).map(([name, version]) => `${name} ${version}`),
    }),
    ...(hasNginx ? [] : ['nginx is not installed on this machine, so it is missing here.']),
    `One process sends requests over 64 connections and uses the other core. The servers take turns, round after round. Chainboard is the whole
product on a devnet that mines no blocks meanwhile, with CORS, \`ETag\`, \`RateLimit\`, request ids, metrics, and quotas that are stored before
they are spent. The others count requests in memory, by key, and send few headers, except the one that sends our headers. _Per CPU second_:
answers per second of CPU time of the server's processes: median, lowest and highest of ${price[0]?.rounds.length ?? 0} rounds. A ratio is the median of each round's ratio.`,
    '### One price',
    toResults(price, base.price),
    `### All ${tokens} prices`,
    toResults(list, base.list),
  ].join('\n\n')
}

function toResults(results: readonly Result[], against: string): string {
  const standard = results.find(({ contestant }) => contestant === against)?.rounds ?? []
  return toTable(
    ['', 'Per CPU second', 'Lowest', 'Highest', `Times ${against}`, 'Per second', 'Bytes'],
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

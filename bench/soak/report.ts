import type { Measuring } from '../measureSection.ts'
import { toHead } from '../sectionHead.ts'
import { toTable } from '../table.ts'
import type { Paced } from './pace.ts'

/** Memory and open files of the server at one moment. */
export type Sample = { readonly rssMb: number; readonly descriptors: number }

/** Of one half of the time. */
type Half = { readonly meanMb: number; readonly maxMb: number; readonly descriptorsMin: number; readonly descriptorsMax: number }
/** How both halves of the time compare. */
export type Summary = {
  readonly first: Half
  readonly second: Half
  readonly growth: number
  readonly sixthsMb: readonly number[]
}

const parts = 6

/** Compares the halves. `growth`: of the mean memory, as a share. `sixthsMb`: mean memory in each sixth of the time. */
export function summarise(samples: readonly Sample[]): Summary {
  const cut = Math.floor(samples.length / 2)
  const [first, second] = [toHalf(samples.slice(0, cut)), toHalf(samples.slice(cut))]
  const sixthsMb = Array.from({ length: parts }, (_, part) => {
    const [from, to] = [part, part + 1].map((edge) => Math.floor((samples.length * edge) / parts))
    return mean(samples.slice(from, to).map(({ rssMb }) => rssMb))
  })
  return { first, second, growth: second.meanMb / first.meanMb - 1, sixthsMb }
}

function toHalf(samples: readonly Sample[]): Half {
  const [sizes, counts] = [samples.map(({ rssMb }) => rssMb), samples.map(({ descriptors }) => descriptors)]
  const [descriptorsMin, descriptorsMax] = [Math.min(...counts), Math.max(...counts)]
  return { meanMb: mean(sizes), maxMb: Math.max(...sizes), descriptorsMin, descriptorsMax }
}

const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length

type Soaked = Measuring & {
  readonly minutes: number
  readonly perSecond: number
  readonly asked: Paced
  readonly summary: Summary
}

/** The section "Soak" of the document. */
export function toSection({ minutes, perSecond, asked, summary, ...measuring }: Soaked): string {
  const answers = Object.entries(asked.statuses).map(([status, count]) => `${status}: ${count}`)
  const toRow = (name: string, half: Half) => [
    name,
    half.meanMb.toFixed(1),
    half.maxMb.toFixed(1),
    `${half.descriptorsMin}-${half.descriptorsMax}`,
  ]
  return [
    ...toHead({
      ...measuring,
      title: 'Soak',
      about: `${minutes} minutes of ${perSecond} requests per second, and streams of prices, on a live devnet. Goals: mean memory of the second half at most
2 % above that of the first, and no more file descriptors.`,
    }),
    toTable(
      ['', 'Mean MB', 'Max MB', 'File descriptors'],
      [toRow('First half', summary.first), toRow('Second half', summary.second)],
    ),
    `Growth: ${(summary.growth * 100).toFixed(1)} %. Mean MB of each sixth: ${summary.sixthsMb.map((mb) => mb.toFixed(0)).join(', ')}.`,
    `Answers: ${answers.join(', ')}.`,
  ].join('\n\n')
}

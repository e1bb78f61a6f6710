/** Upper ends of the groups that times are counted in. Seconds. */
const bounds = [0.001, 0.005, 0.02, 0.1, 0.5, 2]
const name = 'chainboard_http_request_seconds'

export type Answered = { readonly method: string; readonly route: string; readonly status: number }

type Series = { readonly counts: Float64Array; sum: number }

/** How long requests took, as a histogram of Prometheus. Counting one is two additions: the fastest routes answer in microseconds. */
export type RequestTimes = {
  /** Counts the answers of one kind. Callers with many answers keep it. */
  counterOf(answered: Answered): (seconds: number) => void
  /** In Prometheus' text format. */
  text(): string
}

/** A histogram without series; each route, method and status gets one with its first answer. */
export function createRequestTimes(): RequestTimes {
  const known = new Map<string, Series>()
  return {
    counterOf: (answered) => {
      const labels = toLabels(answered)
      const series = known.get(labels) ?? { counts: new Float64Array(bounds.length + 1), sum: 0 }
      known.set(labels, series)
      return (seconds) => count(series, seconds)
    },
    text: () =>
      [
        `# HELP ${name} Time to answer a request`,
        `# TYPE ${name} histogram`,
        ...[...known].flatMap(([labels, series]) => toLines(labels, series)),
        '',
      ].join('\n'),
  }
}

function count(series: Series, seconds: number): void {
  let place = 0
  while (seconds > (bounds[place] ?? Number.POSITIVE_INFINITY)) place += 1
  series.counts[place] = (series.counts[place] ?? 0) + 1
  series.sum += seconds
}

/** Methods, routes' own patterns and statuses: nothing in them is the caller's, and nothing has to be escaped. */
function toLabels({ method, route, status }: Answered): string {
  return `method="${method}",route="${route}",status="${status}"`
}

/** Each group holds the ones before it. Nothing of what has not happened yet. */
function toLines(labels: string, { counts, sum }: Series): string[] {
  let below = 0
  const groups = [...counts].map((each, place) => {
    below += each
    return `${name}_bucket{le="${bounds[place] ?? '+Inf'}",${labels}} ${below}`
  })
  return below === 0 ? [] : [...groups, `${name}_sum{${labels}} ${sum}`, `${name}_count{${labels}} ${below}`]
}

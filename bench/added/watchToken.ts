import { routes } from '@chainboard/contract'
import type { Static, TSchema } from 'typebox'
import { checkShape } from '../checkShape.ts'
import { NotMeasured } from '../notMeasured.ts'
import { poll } from '../waiting.ts'

const everyMs = 250
const msMax = 3_600_000

const fields = ['priceInUsd', 'priceLow', 'priceHigh', 'confidence', 'priceChange24h', 'priceChange7d', 'volume24h'] as const
/** All figures of a token that are compared. */
export const figures = [...fields, 'chart of a week', 'its candles'] as const
export type Figure = (typeof figures)[number]

/** Seconds since the list was written. */
export type Seen = {
  /** When the token was first on the page. */
  shown: number | undefined
  /** From when on each figure was there, and always the one from scratch. */
  readonly right: Map<Figure, number>
  /** How often a figure was there and another one than from scratch, at the same block. */
  readonly wrong: Map<Figure, number>
  /** How often both were compared, at the same block. */
  compared: number
  /** When a phase of what is done for it began. */
  readonly phases: Map<string, number>
}

type Site = { readonly url: string }
const statusSchema = routes.getStatus.schema.response[200]
const tokensSchema = routes.listTokens.schema.response[200]
const chartSchema = routes.getChart.schema.response[200]

async function read<S extends TSchema>(
  { url }: Site,
  path: string,
  schema: S,
): Promise<{ readonly body: Static<S>; readonly block: string | null }> {
  const answer = await fetch(url + path)
  if (!answer.ok) throw new NotMeasured(`${path} answered ${answer.status}`)
  return { body: checkShape(schema, await answer.json(), path), block: answer.headers.get('x-as-of-block') }
}

/**
 * Holds a token of one site against the same token of another, whose index is from scratch, until nothing is missing of it, or so many minutes
 * after all of its figures are right.
 */
export async function watchToken(
  site: Site,
  scratch: Site,
  {
    token,
    fromMs,
    minutes,
    signal,
  }: { readonly token: string; readonly fromMs: number; readonly minutes: number; readonly signal: AbortSignal },
): Promise<Seen> {
  const seen: Seen = { shown: undefined, right: new Map(), wrong: new Map(), compared: 0, phases: new Map() }
  const now = () => (performance.now() - fromMs) / 1_000
  const judge = (figure: Figure, own: unknown, other: unknown, isThere: boolean) => {
    const isRight = JSON.stringify(own) === JSON.stringify(other)
    if (isThere && !isRight) seen.wrong.set(figure, (seen.wrong.get(figure) ?? 0) + 1)
    // What is absent from scratch, too, is as it has to be.
    if (!isRight || (!isThere && other !== null)) seen.right.delete(figure)
    else if (!seen.right.has(figure)) {
      seen.right.set(figure, now())
      console.log(`${figure} right: ${now().toFixed(1)} s`)
    }
  }
  const lookAtPrice = async () => {
    const path = `/assets.json?addresses=${token}`
    const [own, other] = await Promise.all([read(site, path, tokensSchema), read(scratch, path, tokensSchema)])
    const [a, b] = [own.body[0], other.body[0]]
    if (a) seen.shown ??= now()
    if (!a || !b || own.block !== other.block || own.block === null) return
    seen.compared += 1
    for (const field of fields) judge(field, a[field], b[field], a.priceStatus === 'priced' && a[field] !== null)
  }
  const lookAtChart = async () => {
    const path = `/api/tokens/${token}/chart?range=1w&candles=1`
    const [own, other] = await Promise.all([read(site, path, chartSchema), read(scratch, path, chartSchema)]).catch(() => [])
    if (!own || !other || own.block !== other.block) return
    judge('chart of a week', own.body.points, other.body.points, own.body.points.length > 0)
    // Those that are not there yet are not wrong.
    const [candles, others] = [own.body.candles ?? [], other.body.candles ?? []]
    const times = new Set(candles.map(({ time }) => time))
    const present = others.filter(({ time }) => times.has(time))
    const areSame = JSON.stringify(candles) === JSON.stringify(present)
    judge('its candles', candles, others, !areSame || candles.length === others.length)
  }
  let wasTaken = false
  const look = async () => {
    const { tokenList } = (await read(site, '/api/status', statusSchema)).body
    const phase = tokenList.beingRead?.phase
    wasTaken ||= phase !== undefined
    if (phase && !seen.phases.has(phase)) {
      seen.phases.set(phase, now())
      console.log(`${phase}: ${now().toFixed(1)} s`)
    }
    await lookAtPrice()
    if (seen.shown !== undefined) await lookAtChart()
    if (!wasTaken || seen.right.size < figures.length) return undefined
    if (phase === undefined) seen.phases.set('whole', now())
    const sinceSeconds = now() - Math.max(...seen.right.values())
    return phase === undefined || sinceSeconds > minutes * 60 || undefined
  }
  await poll(look, { what: 'the added token', everyMs, msMax, signal })
  return seen
}

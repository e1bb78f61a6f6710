import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Static, Type } from 'typebox'
import { type Load, type Loaded, loadedSchema } from '../api/measure.ts'
import { type Child, forkChild } from '../children.ts'
import { NotMeasured } from '../notMeasured.ts'
import { giveWay, pinTo } from '../processorShare.ts'
import { watchTree } from '../processTree.ts'
import { readMemory } from '../readMemory.ts'
import { receive } from '../receive.ts'
import { median, percentile } from '../statistics.ts'

/** What the probe answers in the end: milliseconds of each request, and how many were answered with another status than 200. */
const askedSchema = Type.Object({ times: Type.Array(Type.Number()), others: Type.Integer() })
export type Asked = Readonly<Static<typeof askedSchema>>

/** One kind of request, as it goes over the line; taken in turn. */
export type Kind = { readonly name: string; readonly requests: readonly string[] }

/** The server under load, and the processes that load it. */
export type Target = {
  readonly url: string
  readonly probesUrl: string
  readonly pid: number
  readonly clients: Clients
  readonly signal: AbortSignal
}

/** Processes for the whole run: starting one takes longer than a phase. */
export type Clients = {
  readonly price: Child
  /** Has the lowest priority: a price client that waits for a processor would look like a slow server. */
  readonly flood: Child
  readonly probe: Child
}

/** Prices a second: of the server's processor, and of the clock. */
type Rate = { readonly ofProcessor: number; readonly ofClock: number }

/** How the server took one kind of request. */
export type Result = {
  readonly kind: string
  /** Answers a second with the connections of the capacity, and with five times as many; 503 apart. */
  readonly capacity: number
  readonly answered: number
  readonly shed: number
  readonly probeP99Ms: number
  readonly probesFailed: number
  /** Prices during the flood as a share of those without it, per CPU second of the server: other work on the machine does not count. */
  readonly priceShare: number
  /** The same per second of time: other work on the machine counts. */
  readonly clockShare: number
  readonly memoryTimes: number
  readonly recoverySeconds: number
}

const connections = 64
/** Its capacity is measured for so many phases: the first answers of a kind are made, later ones may be kept. */
const capacityPhases = 4
const times = 5
const floodNice = 10
/** Time for the message to reach two clients, so that both begin at the same moment. */
const clientStartMs = 50
const patienceMs = 60_000
const recoveryMsMax = 30_000
/** Recovered: so many answers in a row within so long. */
const calmAnswers = 5
const calmMs = 100

/** Starts the clients. @param processor the one they share, if the server has one for itself */
export function startClients(processor: number | undefined): Clients {
  const startClient = (name: string, file: string) => {
    const child = forkChild(name, join(import.meta.dirname, file))
    if (processor !== undefined) pinTo(child.pid, processor)
    return child
  }
  const flood = startClient("the flood's client", '../api/loadClient.ts')
  giveWay(flood.pid, floodNice)
  return {
    flood,
    price: startClient("the prices' client", '../api/loadClient.ts'),
    probe: startClient('the probe', 'askSlowly.ts'),
  }
}

/**
 * Measures five times the connections of the capacity, during the usual load of prices. Each round is between two phases of prices
 * alone, whose mean it is compared with, because other work on the machine changes from second to second. Shares are the median of the
 * rounds, limits the worst of them.
 * @throws NotMeasured when the kind is not answered with 200
 */
export async function measureKind(kind: Kind, price: Kind, rounds: number, ms: number, target: Target): Promise<Result> {
  const usual = watchMemory(target.pid)
  const before = await drive(target.clients.flood, kind, connections, ms * capacityPhases, target)
  const usualBytes = usual()
  if (!before.statuses['200']) throw new NotMeasured(`No request of "${kind.name}" was answered with 200: was the page built?`)
  const played: Round[] = []
  let alone = await measurePeak(price, ms, target)
  while (played.length < rounds) {
    const flooded = await playFlood(kind, price, ms, target)
    const aloneAfter = await measurePeak(price, ms, target)
    played.push({ ...flooded, alone: toMean(alone, aloneAfter) })
    alone = aloneAfter
  }
  const medianOf = (pick: (round: Round) => number) => median(played.map(pick))
  const worstOf = (pick: (round: Round) => number) => Math.max(...played.map(pick))
  return {
    kind: kind.name,
    capacity: perSecond(before, '200'),
    answered: medianOf(({ flood }) => perSecond(flood, '200')),
    shed: medianOf(({ flood }) => perSecond(flood, '503') + perSecond(flood, '429')),
    probeP99Ms: worstOf(({ probed }) => percentile(probed.times, 99)),
    probesFailed: played.reduce((sum, { probed }) => sum + probed.others, 0),
    priceShare: medianOf(({ alone, beside }) => beside.ofProcessor / alone.ofProcessor),
    clockShare: medianOf(({ alone, beside }) => beside.ofClock / alone.ofClock),
    memoryTimes: worstOf(({ peakBytes }) => peakBytes / usualBytes),
    recoverySeconds: worstOf(({ recoverySeconds }) => recoverySeconds),
  }
}

/** `alone`: prices without a flood, before and after; `beside`: during the flood. */
type Round = {
  readonly alone: Rate
  readonly beside: Rate
  readonly flood: Loaded
  readonly probed: Asked
  readonly peakBytes: number
  readonly recoverySeconds: number
}

async function playFlood(kind: Kind, price: Kind, ms: number, target: Target): Promise<Omit<Round, 'alone'>> {
  const { clients, probesUrl, signal } = target
  const isPrice = kind.name === price.name
  const probed = receive(clients.probe, askedSchema, { what: 'the probe', msMax: ms + patienceMs, signal })
  clients.probe.process.send({ url: `${probesUrl}/healthz` })
  const memory = watchMemory(target.pid)
  const use = watchTree(target.pid)
  const [flood, prices] = await Promise.all([
    drive(isPrice ? clients.price : clients.flood, kind, connections * times, ms, target),
    isPrice ? undefined : drive(clients.price, price, connections, ms, target),
  ])
  clients.probe.process.send('stop')
  const endMs = performance.now()
  const cpuSeconds = use.end()?.cpuSeconds ?? Number.NaN
  const peakBytes = memory()
  const recoverySeconds = await waitForCalm(target, endMs)
  return { beside: toRate(prices ?? flood, cpuSeconds), flood, probed: await probed, peakBytes, recoverySeconds }
}

/** Prices without a flood. */
export async function measurePeak(price: Kind, ms: number, target: Target): Promise<Rate> {
  const use = watchTree(target.pid)
  const loaded = await drive(target.clients.price, price, connections, ms, target)
  return toRate(loaded, use.end()?.cpuSeconds ?? Number.NaN)
}

const toRate = (loaded: Loaded, cpuSeconds: number): Rate => ({
  ofProcessor: (loaded.statuses['200'] ?? 0) / cpuSeconds,
  ofClock: perSecond(loaded, '200'),
})

const toMean = (one: Rate, other: Rate): Rate => ({
  ofProcessor: (one.ofProcessor + other.ofProcessor) / 2,
  ofClock: (one.ofClock + other.ofClock) / 2,
})

const perSecond = ({ statuses, ms }: Loaded, status: string) => ((statuses[status] ?? 0) / ms) * 1_000

async function drive(
  client: Child,
  { name, requests }: Kind,
  lines: number,
  ms: number,
  { url, signal }: Target,
): Promise<Loaded> {
  const startAtMs = Date.now() + clientStartMs
  const load: Load = { port: Number(new URL(url).port), requests, connections: lines, ms, startAtMs }
  const loaded = receive(client, loadedSchema, { what: name, msMax: ms + patienceMs, signal })
  client.process.send(load)
  return loaded
}

/** Watches memory. @returns ends the watch, with the most that was seen, in bytes */
function watchMemory(pid: number): () => number {
  let most = 0
  const look = () => {
    most = Math.max(most, readMemory(pid).nowBytes || 0)
  }
  look()
  const timer = setInterval(look, 100)
  return () => {
    clearInterval(timer)
    look()
    return most
  }
}

async function waitForCalm({ url }: Target, endMs: number): Promise<number> {
  let calm = 0
  while (calm < calmAnswers && performance.now() - endMs < recoveryMsMax) {
    const startMs = performance.now()
    const { status } = await fetch(`${url}/api/trending`)
    calm = status === 200 && performance.now() - startMs < calmMs ? calm + 1 : 0
    await sleep(20)
  }
  return (performance.now() - endMs) / 1_000
}

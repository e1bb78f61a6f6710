import { fork } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Load, Loaded } from '../api/loadClient.ts'
import { adopt, type Child } from '../children.ts'
import { giveWay, pinTo } from '../processorShare.ts'
import { watchTree } from '../processTree.ts'
import { median, percentile } from '../statistics.ts'
import { type Patience, within } from '../waiting.ts'
import type { Asked } from './askSlowly.ts'

/** One kind of request: what of it goes over the line, in turn. */
export type Kind = { readonly name: string; readonly requests: readonly string[] }

export type Target = {
  readonly url: string
  readonly probesUrl: string
  readonly pid: number
  readonly clients: Clients
  readonly signal: AbortSignal
}

/** Processes of their own for the whole run: to start one takes longer than a phase. */
export type Clients = {
  readonly price: Child
  /** Comes last where processors are few: a price client without its turn would look like a server without one. */
  readonly flood: Child
  readonly probe: Child
}

/** Prices a second: of the server's processor, and of the clock. */
type Rate = { readonly ofProcessor: number; readonly ofClock: number }

export type Result = {
  readonly kind: string
  /** Answers a second with the connections of the capacity, and with five times as many; 503 apart. */
  readonly capacity: number
  readonly answered: number
  readonly shed: number
  readonly probeP99Ms: number
  readonly probesFailed: number
  /** Prices beside it of those without it, each for a second of the server's processor: other work on the machine counts in neither. */
  readonly priceShare: number
  /** The same for a second of the clock: other work on the machine counts in both. */
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

/** @param processor the one of all clients and the probe, when the server has one for itself */
export function startClients(processor: number | undefined): Clients {
  const startClient = (name: string, file: string) => {
    const child = adopt(name, fork(join(import.meta.dirname, file), { detached: true, silent: true }))
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
 * Five times the connections of the capacity, beside the usual price load: in each round between prices alone and prices alone, whose
 * mean it is held against, as what else the machine does changes from second to second. Shares are the median of the rounds, limits
 * the worst of them.
 */
export async function measureKind(kind: Kind, price: Kind, rounds: number, ms: number, target: Target): Promise<Result> {
  const usual = watchMemory(target.pid)
  const before = await drive(target.clients.flood, kind, connections, ms * capacityPhases, target)
  const usualBytes = usual()
  if (!before.statuses['200']) throw new Error(`No request of "${kind.name}" was answered with 200: was the page built?`)
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

/** `alone`: prices with nothing beside them, before and after; `beside`: with the flood. */
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
  const probed = nextMessage<Asked>(clients.probe, { what: 'the probe', msMax: ms + patienceMs, signal })
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

/** Prices with nothing beside them. */
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
  client.process.send(load)
  return nextMessage<Loaded>(client, { what: name, msMax: ms + patienceMs, signal })
}

function nextMessage<T>(client: Child, patience: Patience): Promise<T> {
  const told = new Promise<T>((resolve) => client.process.once('message', (message) => resolve(message as T)))
  return within(told, { ...patience, gone: client.gone })
}

/** @returns ends it, with the most memory seen */
function watchMemory(pid: number): () => number {
  let most = 0
  const look = () => {
    const kilobytes = /^VmRSS:\s*(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
    most = Math.max(most, Number(kilobytes ?? 0) * 1_024)
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

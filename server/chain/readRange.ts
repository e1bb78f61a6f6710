import { randomInt } from 'node:crypto'
import { type Address, Failure, type Hex } from '@chainboard/core'
import { checkOrder } from './blockTimes.ts'
import type { ChainLog, ChainRange, Header, RangeRequest } from './chain.ts'
import type { AlsoRequest } from './history/historyNode.ts'
import { invalid, type ParsedLog, parseHeader, parseLog } from './parseAnswer.ts'
import { rangeEnds } from './rangeEnds.ts'
import { type BlockPeriod, readTimes } from './readTimes.ts'
import { toFailure } from './toFailure.ts'

/** One JSON-RPC call to one node. Its answer is as the node gave it, unchecked. */
export type Call = (method: string, params: unknown) => Promise<unknown>

/**
 * What was learned of a node. `refusesHashFilter`: whether it knows the filter `{blockHash}`; most do, and one that does not is not asked again.
 * `wantsAddresses`: it reads logs of named contracts only. `mistimesLogs`: a log of it stated another time than its block's header, so none is believed.
 * `isLimited`: whether it limits the rate of calls.
 */
export type NodeTraits = {
  refusesHashFilter: boolean
  wantsAddresses: boolean
  mistimesLogs?: boolean
  readonly period: BlockPeriod
  readonly isLimited?: () => boolean
}

/** Contracts named in one call: what nodes take that want them named. */
const addressesMax = 500

/**
 * Reads a range of one node and checks that its answer can be true: every field well-formed, each log once, inside the
 * range, and fitting the filter.
 *
 * Where every header is wanted, which is near the head, logs are read by the hash of their block. A balancer may send each
 * call to another node, some blocks behind: such a node answers a range that it does not have with an empty list, but has
 * no answer for a hash that it does not know.
 * @throws Failure `rpc-invalid` when the answer contradicts itself or the question, `rpc-unavailable` for a missing block
 */
export async function readRange(call: Call, request: RangeRequest, traits: NodeTraits): Promise<ChainRange> {
  const { refusesHashFilter, wantsAddresses } = traits
  try {
    return await readOnce(call, request, traits)
  } catch (error) {
    learn(error, request, traits)
    // Another range may have learned it meanwhile.
    if (traits.refusesHashFilter === refusesHashFilter && traits.wantsAddresses === wantsAddresses) throw error
    return readRange(call, request, traits)
  }
}

/** Something about the node may be why it refused: ranges are read in another way then. */
function learn(error: unknown, { everyHeader, contracts }: RangeRequest, traits: NodeTraits): void {
  if (contracts && toFailure(error).detail['refusal'] === 'address-required') traits.wantsAddresses = true
  else if (everyHeader && !traits.refusesHashFilter) traits.refusesHashFilter = refusesHashFilter(error)
}

async function readOnce(call: Call, request: RangeRequest, traits: NodeTraits): Promise<ChainRange> {
  const { from, to, everyHeader } = request
  const wanted = everyHeader ? Array.from({ length: to - from + 1 }, (_, i) => from + i) : from === to ? [from] : [from, to]
  const readHeaders = () => Promise.all(wanted.map((number) => readHeader(call, number)))
  if (!everyHeader || traits.refusesHashFilter) {
    const whole = { from, to, filter: { fromBlock: toHex(from), toBlock: toHex(to) } }
    const [logs, headers] = await Promise.all([readWanted(call, request, { places: [whole], traits }), readHeaders()])
    return complete(call, headers, { logs, traits })
  }
  const headers = await readHeaders()
  const places = headers.map(({ number, hash }) => ({ from: number, to: number, filter: { blockHash: hash } }))
  return complete(call, headers, { logs: await readWanted(call, request, { places, traits }), traits })
}

/** @throws Failure `rpc-unavailable` for a block that the node does not have */
export async function readHeader(call: Call, block: number | 'latest'): Promise<Header> {
  const answer = await call('eth_getBlockByNumber', [block === 'latest' ? block : toHex(block), false])
  if (answer === null) throw behind(block)
  return parseHeader(answer, block === 'latest' ? undefined : block)
}

/** Where logs are looked for: a range, or one block by its hash. */
type Place = {
  readonly from: number
  readonly to: number
  readonly filter: { readonly fromBlock: Hex; readonly toBlock: Hex } | { readonly blockHash: Hex }
}

type Where = { readonly places: readonly Place[]; readonly traits: NodeTraits }

/** Logs of all contracts; of a node that wants them named, and where no others are of use, those of the factory and of what it made, before and in any of the places. */
async function readWanted(call: Call, request: RangeRequest, { places, traits }: Where): Promise<ParsedLog[]> {
  const { contracts, address } = request
  const readAll = async (addresses: readonly Address[] | undefined) =>
    (await Promise.all(places.map((place) => readLogs(call, request, { place, addresses })))).flat()
  if (!contracts || !readsNamed(request, traits)) return readAll(address && [address])
  const readSlices = async (named: readonly Address[]) => (await Promise.all(toSlices(named).map(readAll))).flat()
  const known = new Set([contracts.factory, ...(await contracts.known())])
  const logs = await readSlices([...known])
  const made = new Set(contracts.listCreated(logs).filter((address) => !known.has(address)))
  return [...logs, ...(await readSlices([...made]))]
}

/** Whether the logs of named contracts alone are read. */
export function readsNamed({ contracts }: Pick<RangeRequest, 'contracts'>, { wantsAddresses }: NodeTraits): boolean {
  return wantsAddresses || contracts?.only === true
}

/** As many contracts as one call may name. */
export function toSlices(addresses: readonly Address[]): Address[][] {
  return Array.from({ length: Math.ceil(addresses.length / addressesMax) }, (_, i) =>
    addresses.slice(i * addressesMax, (i + 1) * addressesMax),
  )
}

/**
 * The range with the logs of more contracts in it, of the node that gave it.
 * @throws as `readRange`
 */
export async function readAlso(
  call: Call,
  range: ChainRange,
  { from, to, topics, addresses }: AlsoRequest,
  traits: NodeTraits,
): Promise<ChainRange> {
  const place: Place = { from, to, filter: { fromBlock: toHex(from), toBlock: toHex(to) } }
  const slices = await Promise.all(toSlices(addresses).map((slice) => readLogs(call, { topics }, { place, addresses: slice })))
  const { logs } = await complete(call, range.headers, { logs: slices.flat(), traits })
  return { ...range, logs: [...range.logs, ...logs].toSorted(byPlace) }
}

type Filter = { readonly place: Place; readonly addresses: readonly Address[] | undefined }

async function readLogs(
  call: Call,
  { topics }: Pick<RangeRequest, 'topics'>,
  { place, addresses }: Filter,
): Promise<ParsedLog[]> {
  const { from, to } = place
  const [address] = addresses ?? []
  const named = addresses && (addresses.length === 1 ? { address } : { address: addresses })
  const filter = { ...place.filter, topics: [topics], ...named }
  const answer = await call('eth_getLogs', [filter])
  if (answer === null) throw behind(to)
  if (!Array.isArray(answer)) throw invalid('The node returned no list of logs', { from, to })
  const logs = answer.map(parseLog)
  const seen = new Set<string>()
  const wanted = addresses && new Set(addresses.map((each) => each.toLowerCase()))
  for (const log of logs) {
    const { blockNumber, logIndex } = log
    const where = `log ${logIndex} of block ${blockNumber}`
    if (blockNumber < from || blockNumber > to)
      throw invalid(`The node returned ${where}, but the server asked for blocks ${from} to ${to}`, { blockNumber, from, to })
    if (!fits(log, { topics, addresses: wanted }))
      throw invalid(`The node returned ${where}, which does not match the filter`, { blockNumber })
    const key = `${blockNumber} ${logIndex}`
    if (seen.has(key)) throw invalid(`The node returned ${where} twice`, { blockNumber, logIndex })
    seen.add(key)
    if ('blockHash' in place.filter && log.blockHash !== place.filter.blockHash)
      throw invalid(`The node returned a log of block ${log.blockHash} instead of ${place.filter.blockHash}`, {
        block: from,
      })
  }
  return logs
}

type Fit = { readonly topics: readonly Hex[]; readonly addresses: ReadonlySet<string> | undefined }

function fits(log: ParsedLog, { topics, addresses }: Fit): boolean {
  const first = log.topics[0]
  return first !== undefined && topics.includes(first) && (!addresses || addresses.has(log.address))
}

/** Blocks of logs whose headers are read and compared, besides those asked for: a few, so that history stays cheap. */
const comparedBlocksMax = 64
/** The same of a node that limits the rate of calls: each header would be a third of a range that is not read. */
const comparedOfLimitedMax = 4
/** Of more blocks so many are compared, drawn when the logs are there: a node that dates logs wrongly does not know which. */
const sampledBlocks = 8

type Unfinished = { readonly logs: readonly ParsedLog[]; readonly traits: NodeTraits }

/**
 * Logs in order, with the time of their block: the header's where it was read, else the log's own, else what follows from the headers around it.
 * @throws Failure `rpc-invalid` for a log that names its block by the number of another one, and for a block that was made before an earlier one
 */
async function complete(call: Call, headers: readonly Header[], { logs, traits }: Unfinished): Promise<ChainRange> {
  const known = new Map(headers.map((header) => [header.number, header]))
  const others = [...new Set(logs.map(({ blockNumber }) => blockNumber))].filter((number) => !known.has(number))
  const isLimited = traits.isLimited?.() ?? false
  const comparedMax = isLimited ? comparedOfLimitedMax : comparedBlocksMax
  const stating = logs.filter(({ timestampSeconds }) => timestampSeconds !== undefined && !isLimited && !traits.mistimesLogs)
  const compared = others.length <= comparedMax ? others : draw(stating, sampledBlocks).filter((block) => !known.has(block))
  for (const header of await Promise.all(compared.map((number) => readHeader(call, number)))) known.set(header.number, header)
  checkOrder([...known.values()])
  if (logs.some((log) => isMistimed(log, known.get(log.blockNumber)))) traits.mistimesLogs = true
  const timeOf = ({ timestampSeconds }: ParsedLog) => (traits.mistimesLogs ? undefined : timestampSeconds)
  const untold = new Set(logs.filter((log) => !timeOf(log)).map(({ blockNumber }) => blockNumber))
  const timeless = others.filter((number) => !known.has(number) && untold.has(number)).sort((a, b) => a - b)
  const times = await readTimes(timeless, rangeEnds({ headers }), {
    period: traits.period,
    read: (number) => readHeader(call, number),
  })
  const timed = logs.map((log) => {
    const { blockNumber, blockHash } = log
    const header = known.get(blockNumber)
    if (compared.includes(blockNumber) && header?.hash !== blockHash)
      throw invalid(`The node returned a log of block ${blockNumber} with another block's hash`, { block: blockNumber })
    const timestampSeconds = header?.timestampSeconds ?? (timeOf(log) || times.get(blockNumber))
    if (timestampSeconds === undefined) throw new RangeError(`No time of block ${blockNumber} was read`)
    return { ...log, timestampSeconds }
  })
  checkOrder([...known.values(), ...timed.map(({ blockNumber: number, timestampSeconds }) => ({ number, timestampSeconds }))])
  return { headers, logs: timed.sort(byPlace) }
}

/** Blocks of some of the logs; none of none. */
function draw(logs: readonly ParsedLog[], count: number): number[] {
  const drawn = logs.length === 0 ? [] : Array.from({ length: count }).flatMap(() => logs[randomInt(logs.length)] ?? [])
  return [...new Set(drawn.map(({ blockNumber }) => blockNumber))]
}

function isMistimed({ blockHash, timestampSeconds }: ParsedLog, header: Header | undefined): boolean {
  return timestampSeconds !== undefined && header?.hash === blockHash && header.timestampSeconds !== timestampSeconds
}

const invalidParams = -32_602
const unknownBlock = /not found|unknown|missing|does not exist/i

/** Not every refusal: a node that lacks the block has to be asked again, and never by range. */
export function refusesHashFilter(error: unknown): boolean {
  const { code, message, detail } = toFailure(error)
  return code === 'rpc-refused' && detail['code'] === invalidParams && !unknownBlock.test(message)
}

/** A node behind others of its kind has no such block yet; taking its empty answer for the truth would skip events. */
function behind(block: number | 'latest'): Failure {
  return new Failure('rpc-unavailable', `The node does not have block ${block}`, { retryable: true, detail: { block } })
}

/** A quantity as JSON-RPC has it: 255 is `0xff`. */
export function toHex(number: number): Hex {
  return `0x${number.toString(16)}`
}

function byPlace(a: ChainLog, b: ChainLog): number {
  return a.blockNumber - b.blockNumber || a.logIndex - b.logIndex
}

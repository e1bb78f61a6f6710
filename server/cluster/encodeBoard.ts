import { promisify } from 'node:util'
import { deserialize, serialize } from 'node:v8'
import { deflateRaw, inflateRaw } from 'node:zlib'
import type { TokenList } from '../market/tokenList.ts'
import type { TokenMarket } from '../market/tokenMarket.ts'
import type { Body } from '../store/boards.ts'
import type { Board, BoardEvent, LeaderState } from './board.ts'

/** How boards are written. Another form, by another version of this program, is not read. */
const boardForm = 1
/** A body unpacked; beyond it is no board. */
const bytesMax = 256 * 1024 * 1024
/** Nearly as small as at the usual level, in a fraction of the time. */
const level = 1

const pack = promisify(deflateRaw)
const unpack = promisify(inflateRaw)

type Market = Omit<TokenMarket, 'token'>

/** As it is written: a market goes without its token, which is at the same place of the list. */
type Written = Omit<Board, 'snapshot' | 'list'> & {
  readonly snapshot: Omit<Board['snapshot'], 'markets' | 'byToken'> & { readonly markets: readonly Market[] }
  /** Written by itself, as the next board mostly has the same. */
  readonly list: Uint8Array
}

/** Lists that were written before: most boards are of the same one. */
const writtenLists = new WeakMap<TokenList, Buffer>()

/** @returns the board in the form of this version, which keeps whole numbers of any size, and each object once */
export async function encodeBoard({ snapshot: { markets, byToken: _, ...snapshot }, list, ...rest }: Board): Promise<Body> {
  const written: Written = {
    ...rest,
    list: writeList(list),
    snapshot: { ...snapshot, markets: markets.map(({ token: _, ...market }) => market) },
  }
  return { form: boardForm, bytes: await pack(serialize(written), { level }) }
}

function writeList(list: TokenList): Buffer {
  const known = writtenLists.get(list)
  if (known) return known
  const bytes = serialize(list)
  writtenLists.set(list, bytes)
  return bytes
}

/** Reads boards one after the other: the list of one that has the same as the last is the same object. */
export function createBoardReader(): (body: Body) => Promise<Board | undefined> {
  let last: { readonly bytes: Uint8Array; readonly list: TokenList } | undefined
  return async (body) => {
    const written = await decode<Written>(body)
    if (!written) return undefined
    const { snapshot, list: bytes, ...rest } = written
    if (!last || Buffer.compare(last.bytes, bytes) !== 0) last = { bytes: Buffer.from(bytes), list: deserialize(bytes) }
    const { list } = last
    const markets = snapshot.markets.flatMap((market, place): TokenMarket[] => {
      const token = list.tokens[place]
      return token ? [{ ...market, token }] : []
    })
    const byToken = new Map(markets.map((market) => [market.token.id, market]))
    return { ...rest, list, snapshot: { ...snapshot, markets, byToken } }
  }
}

/** @returns what the leader is like, for the others */
export async function encodeState(state: LeaderState): Promise<Body> {
  // What a source said is in the board.
  const sources = state.sources.map((source) => ({ ...source, reading: undefined }))
  return { form: boardForm, bytes: await pack(serialize({ ...state, sources }), { level }) }
}

/** @returns undefined for a form of another version */
export function decodeState(body: Body): Promise<LeaderState | undefined> {
  return decode<LeaderState>(body)
}

/** @returns undefined for no events */
export async function encodeEvents(events: readonly BoardEvent[]): Promise<Buffer | undefined> {
  return events.length === 0 ? undefined : pack(Buffer.from(JSON.stringify(events)), { level })
}

/** Events of one step. */
export async function decodeEvents(bytes: Buffer | undefined): Promise<readonly BoardEvent[]> {
  if (!bytes) return []
  const text = await unpack(bytes, { maxOutputLength: bytesMax })
  return JSON.parse(text.toString())
}

async function decode<T>({ form, bytes }: Body): Promise<T | undefined> {
  if (form !== boardForm) return undefined
  const value: T = deserialize(await unpack(bytes, { maxOutputLength: bytesMax }))
  return value
}

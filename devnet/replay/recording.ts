import { readFile } from 'node:fs/promises'
import { gunzipSync } from 'node:zlib'
import { DevnetFault } from '../devnetFault.ts'
import { type PlannedBlock, readSqrtPrices } from '../generate.ts'
import type { BlockTime } from '../history.ts'
import type { Trade } from '../market.ts'
import type { Rpc } from '../rpc.ts'
import { sha256 } from '../stateFile.ts'
import { parseRecording, type RecordedMinute } from './parseRecording.ts'
import { priceOfTick, takeMainTrip } from './planReplay.ts'

export type Recording = { readonly rows: readonly RecordedMinute[] /** SHA-256 of the file. */; readonly hash: string }

const unpackedBytesMax = 256 * 1024 * 1024
const tripsPerBlock = 0.25

/** @throws DevnetFault naming the file and what is wrong with it */
export async function readRecording(path: string): Promise<Recording> {
  try {
    const file = await readFile(path)
    const text = path.endsWith('.gz') ? gunzipSync(file, { maxOutputLength: unpackedBytesMax }) : file
    return { rows: parseRecording(text.toString()), hash: sha256(file) }
  } catch (cause) {
    throw new DevnetFault(`recording ${path}: ${cause instanceof Error ? cause.message : cause}`, { cause })
  }
}

/**
 * What the main pool does after the end of the recording, ahead of each block: back to the last close if somebody moved it,
 * else now and then a trade that ends where it began. So the recording's last price stays exact.
 */
export async function holdLastClose(rpc: Rpc, recording: Recording, place: number): Promise<Trade[]> {
  const home = await findWayHome(rpc, recording)
  if (home) return [home]
  return Math.random() < tripsPerBlock ? [takeMainTrip(place)] : []
}

/** The same for a span that is filled in afterwards: the first block brings the pool home, the others keep it trading. */
export async function holdWhileFilling(rpc: Rpc, recording: Recording, blocks: readonly BlockTime[]): Promise<PlannedBlock[]> {
  const home = await findWayHome(rpc, recording)
  return blocks.map((block, place) => ({ ...block, trades: [place === 0 && home ? home : takeMainTrip(place)] }))
}

async function findWayHome(rpc: Rpc, recording: Recording): Promise<Trade | undefined> {
  const wanted = priceOfTick(recording.rows.at(-1)?.closeTick ?? 0)
  const [found] = await readSqrtPrices(rpc)
  return found === wanted ? undefined : { kind: 'to', pool: 0, trader: 1_000, sqrtPriceX96: wanted }
}

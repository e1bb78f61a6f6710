// Brings the chain up: a new one with its history, or the kept one with the time since filled in.

import { messageOf } from '@chainboard/core'
import { numberToHex } from 'viem'
import { type Anvil, type AnvilOptions, startAnvil } from './anvil.ts'
import { boostTokens } from './boostTokens.ts'
import { deploy, deploymentVersion } from './deploy.ts'
import { DevnetFault } from './devnetFault.ts'
import { fillBlocks, loadState, type PlannedBlock, readHead, resumeMarket } from './generate.ts'
import { historySeconds, historyStart, planBlocks, shortHistorySeconds } from './history.ts'
import { startKeeper } from './keeper.ts'
import { createMarket, firstPrices, type Market, type Trade } from './market.ts'
import { planReplay, shiftRows, shiftToNow, usdAt } from './replay/planReplay.ts'
import { holdLastClose, holdWhileFilling, type Recording, readRecording } from './replay/recording.ts'
import type { Rpc } from './rpc.ts'
import { findState, putAside, type Recipe, type StateAbout } from './stateFile.ts'
import { createMaker } from './tradeBlock.ts'
import { type ChainWriter, createWriter, type PlanGap, setClock } from './writer.ts'

export type OpenOptions = {
  readonly chainId: number
  readonly port?: number | undefined
  /** Absent: nothing is kept. */
  readonly folder?: string | undefined
  readonly home: string
  readonly history: 'full' | 'short'
  readonly seed: string
  readonly replayCsv?: string | undefined
  readonly nowSeconds: () => number
  readonly signal: AbortSignal
  readonly onProgress: (text: string) => void
}

export type OpenedChain = {
  readonly rpcUrl: string
  readonly rpc: Rpc
  readonly writer: ChainWriter
  readonly replay?: { readonly shiftSeconds: number; readonly rows: number }
  /** A made-up market that goes on from the chain's prices. */
  resume(): Promise<Market>
  /** What the main pool does besides, when it follows a recording. */
  extraTrades?(): Promise<Trade[]>
  /** With what the main pool does in the blocks. */
  readonly planGap: PlanGap
  /** Settles when the node is gone, with its last words. */
  readonly gone: Promise<string>
  /** Keeps the chain where it is kept between runs. */
  keep(): Promise<void>
  /** Ends the node, whatever it is doing. */
  close(): Promise<void>
}

type Started = { readonly anvil: Anvil; readonly about: StateAbout; readonly isFresh: boolean }

const hour = 3_600
/** The first minute belongs to the deployment. */
const deploySeconds = 60
/** How far the kept chain may be ahead of this computer's clock. */
const aheadSecondsMax = 600
/** Of a block, and so of a transaction and of a call that names no gas: one that only burns it ends within a second or two. */
const liveGasMax = 500_000_000
/** With the finer blocks of the last day this makes at most 800 after any absence. */
const fillHourlyMax = 400

/** @throws Error saying what failed; nothing is left running then */
export async function openChain(options: OpenOptions): Promise<OpenedChain> {
  const recording = options.replayCsv === undefined ? undefined : await readRecording(options.replayCsv)
  const recipe: Recipe = {
    version: deploymentVersion,
    seed: options.seed,
    history: options.history,
    replay: recording?.hash ?? '',
  }
  const started = (await restore(options, recipe)) ?? (await generate(options, recipe, recording))
  try {
    return await serve(options, started, recording)
  } catch (error) {
    await started.anvil.stop()
    throw error
  }
}

async function serve(options: OpenOptions, started: Started, recording: Recording | undefined): Promise<OpenedChain> {
  const { anvil, about, isFresh } = started
  const { rpc } = anvil
  const { folder, onProgress, nowSeconds } = options
  const writer = createWriter({ rpc, maker: createMaker(rpc), nowSeconds, onProgress })
  const lastUsd = recording && usdAt(recording.rows, Number.POSITIVE_INFINITY)
  const resume = () => resumeMarket(rpc, { seed: options.seed, nativeUsdAt: lastUsd === undefined ? undefined : () => lastUsd })
  let place = 0
  const extraTrades = recording && (() => holdLastClose(rpc, recording, place++))
  const planGap: PlanGap = async (fromSeconds, nowSeconds) => {
    const blocks = planBlocks(fromSeconds, nowSeconds, fillHourlyMax)
    return recording ? holdWhileFilling(rpc, recording, blocks) : blocks
  }
  await writer.fillGap(resume, planGap, options.signal)
  await setClock(rpc, nowSeconds())
  await rpc.call('evm_setBlockGasLimit', [numberToHex(liveGasMax)])
  await rpc.call('evm_setAutomine', [true])
  await boostTokens(rpc, writer, onProgress)
  const keeper = folder === undefined ? undefined : startKeeper({ rpc, writer, isFresh, folder, about, onProblem: onProgress })
  return {
    rpcUrl: anvil.rpcUrl,
    rpc,
    writer,
    ...(about.replay ? { replay: about.replay } : {}),
    resume,
    ...(extraTrades ? { extraTrades } : {}),
    planGap,
    gone: anvil.gone,
    async keep() {
      // Mines what users have just sent, so that it is kept.
      if (keeper) await writer.alone(async () => {}).catch(() => {})
      await keeper?.stop()
    },
    close: anvil.stop,
  }
}

/** The kept chain, if there is one and it was made from the same recipe. */
async function restore(options: OpenOptions, recipe: Recipe): Promise<Started | undefined> {
  const { folder, onProgress } = options
  if (folder === undefined) return undefined
  const damaged = async (reason: string) => {
    const aside = await putAside(folder)
    onProgress(`the saved chain is damaged (${reason}); it was moved to ${aside}, and a new one is created`)
    return undefined
  }
  const found = await findState(folder)
  if (found.kind === 'none') return undefined
  if (found.kind === 'damaged') return damaged(found.reason)
  const changed = Object.entries(recipe).flatMap(([key, value]) => (Reflect.get(found.about.recipe, key) === value ? [] : [key]))
  if (changed.length > 0) {
    onProgress(`the saved chain was made with another ${changed.join(' and ')}: a new one is created`)
    return undefined
  }
  onProgress('loading the saved chain')
  const anvil = await startAnvil(toAnvil(options, found.about.genesisSeconds))
  try {
    await loadState(anvil.rpc, found.state)
    const head = await readHead(anvil.rpc)
    if (head.number === 0) throw new DevnetFault('it holds no blocks')
    if (head.seconds < options.nowSeconds() + aheadSecondsMax) return { anvil, about: found.about, isFresh: false }
    onProgress('the saved chain ends in the future: a new one is created')
  } catch (error) {
    await anvil.stop()
    return damaged(messageOf(error))
  }
  await anvil.stop()
  return undefined
}

async function generate(options: OpenOptions, recipe: Recipe, recording: Recording | undefined): Promise<Started> {
  const { signal, onProgress } = options
  signal.throwIfAborted()
  const now = options.nowSeconds()
  const story = recording ? planRecorded(recording, now) : planInvented(options.history, now)
  const anvil = await startAnvil(toAnvil(options, story.startSeconds))
  try {
    onProgress('deploying the contracts')
    await deploy(anvil.rpc, story.startSeconds)
    const { startSeconds, nativeUsdAt, blocks } = story
    const market = createMarket({
      seed: options.seed,
      startSeconds: startSeconds + deploySeconds,
      prices: firstPrices(),
      nativeUsdAt,
    })
    await fillBlocks(anvil.rpc, createMaker(anvil.rpc), { blocks, market, signal, onProgress })
  } catch (error) {
    await anvil.stop()
    throw error
  }
  return {
    anvil,
    isFresh: true,
    about: { recipe, genesisSeconds: story.startSeconds, ...(story.replay ? { replay: story.replay } : {}) },
  }
}

type Story = {
  readonly startSeconds: number
  readonly blocks: readonly PlannedBlock[]
  readonly nativeUsdAt?: (seconds: number) => number
  readonly replay?: { readonly shiftSeconds: number; readonly rows: number }
}

function planInvented(history: 'full' | 'short', now: number): Story {
  const startSeconds = historyStart(now, history === 'full' ? historySeconds : shortHistorySeconds)
  return { startSeconds, blocks: planBlocks(startSeconds + deploySeconds, now) }
}

function planRecorded({ rows }: Recording, now: number): Story {
  const shiftSeconds = shiftToNow(rows, now)
  const shifted = shiftRows(rows, shiftSeconds)
  const startSeconds = historyStart(shifted[0]?.seconds ?? now, hour)
  return {
    startSeconds,
    blocks: planReplay(shifted, startSeconds + deploySeconds, now),
    nativeUsdAt: (seconds) => usdAt(shifted, seconds),
    replay: { shiftSeconds, rows: rows.length },
  }
}

function toAnvil({ chainId, home, port }: OpenOptions, genesisSeconds: number): AnvilOptions {
  return { chainId, genesisSeconds, home, ...(port === undefined ? {} : { port }) }
}

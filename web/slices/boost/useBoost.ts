import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useReducer, useRef } from 'react'
import { holdReload } from '../../lib/busy.ts'
import type { CallNode } from '../../lib/callNode.ts'
import { notify } from '../../lib/notice.ts'
import type { SendCall, SendTogether } from '../../lib/sendCall.ts'
import { type BoostState, closedBoost, nextBoost, type StepEvent } from './boostState.ts'
import { isCovered } from './judgeFacts.ts'
import { type BoostFacts, type BoostParties, readBoostedUntil, readFacts } from './readFacts.ts'
import { runStep } from './runStep.ts'
import { findRefusal, type Transacted, transact, transactTogether } from './transact.ts'

/** The visitor's wallet as far as a boost goes. */
export type BoostWallet = {
  /** Checksummed; undefined while none is connected. */
  readonly address: string | undefined
  /** Undefined while no wallet is connected, or while it is on another chain. */
  readonly send: SendCall | undefined
  /** Undefined for a wallet that cannot. */
  readonly sendTogether: SendTogether | undefined
}

export type BoostOptions = {
  readonly parties: BoostParties
  readonly call: CallNode
  readonly wallet: BoostWallet
  /** Told of every boost that was mined, whether or not somebody still looks: until when the token is boosted, in unix seconds. */
  readonly onBoosted: (boostedUntil: number) => void
}

const readEveryMs = 12_000
const retryMs = 500
const restMs = 1_000
/** Resolves so much later. */
export const wait = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms))

/** What a boost rests on, read again every few seconds. A wallet's part is that of the wallet that is connected, or none. */
export function useBoostFacts({ parties, call, wallet: { address } }: Pick<BoostOptions, 'parties' | 'call' | 'wallet'>) {
  const client = useQueryClient()
  const queryKey = ['boost', parties.contract, parties.token, address ?? ''] as const
  const query = useQuery({
    queryKey,
    queryFn: (): Promise<BoostFacts> => readFacts(call, parties, address),
    staleTime: 0,
    // What was read when the window was open the last time is worth nothing.
    gcTime: 0,
    retry: 1,
    retryDelay: retryMs,
    refetchInterval: readEveryMs,
    placeholderData: keepPreviousData,
  })
  const read = async () => {
    const facts = await readFacts(call, parties, address)
    await client.cancelQueries({ queryKey })
    client.setQueryData(queryKey, facts)
    return facts
  }
  const known = query.data
  const facts = known?.wallet && known.wallet.address !== address ? { ...known, wallet: undefined } : known
  return { query, facts, read }
}

/** A boost from the first look to its success. What was sent goes on when the window closes, and its end is told all the same. */
export function useBoost({ parties, call, wallet, onBoosted }: BoostOptions) {
  const [state, dispatch] = useReducer(nextBoost, closedBoost, (closed) => nextBoost(closed, { kind: 'opened' }))
  const { query, facts, read } = useBoostFacts({ parties, call, wallet })
  const [isOpen, underWay] = useOpenness()
  const { address, send, sendTogether } = wallet
  const walletNow = useWalletChange(`${address} ${send !== undefined}`, () => dispatch({ kind: 'walletChanged' }))
  useAllowance(state, facts && (isCovered(facts) || (facts.wallet !== undefined && sendTogether !== undefined)), dispatch)
  useRest(state, () => dispatch({ kind: 'rested', attempt: state.attempt }))

  const press = async () => {
    const { step, status, attempt } = state
    const busy = status.kind === 'pending' || status.kind === 'success'
    if (busy || step === 'success' || !facts || !address || !send) return
    dispatch({ kind: 'pressed' })
    const letGo = holdReload()
    const pressedWith = walletNow()
    const tell = (event: StepEvent) => {
      underWay.current =
        event.kind === 'walletAsked' || (underWay.current && event.kind !== 'failed' && event.kind !== 'confirmed')
      dispatch({ ...event, attempt })
    }
    try {
      const deps = { call, from: address, wait, nowMs: () => Date.now() }
      const done = await runStep(step, facts, parties, {
        read,
        wait,
        isOpen,
        hasWalletChanged: () => walletNow() !== pressedWith,
        tell,
        findRefusal: (asked) => findRefusal(call, address, asked),
        transact: (asked, otherwise, told) => transact({ ...deps, send }, asked, otherwise, told),
        ...(sendTogether && {
          transactTogether: (calls, otherwise, told) => transactTogether({ ...deps, sendTogether }, calls, otherwise, told),
        }),
      })
      if (done && 'receipt' in done && step === 'boost') onBoosted(readBoostedUntil(done.receipt, parties) ?? 0)
      if (done && !isOpen()) tellAway(step, done)
    } finally {
      letGo()
    }
  }
  return { state, facts, query, read, press: () => void press() }
}

/** What is said at the foot of the page when nobody looks at the window any more. */
function tellAway(step: 'approve' | 'boost', done: Transacted): void {
  if ('message' in done) notify(done.message, 'note')
  else notify(step === 'boost' ? 'Boost Successful!' : 'USDC is approved. Open the boost again to pay.')
}

/** Whether the window is open, and a place to keep whether something is under way, which closing says. */
function useOpenness() {
  const open = useRef(true)
  const underWay = useRef(false)
  useEffect(() => {
    open.current = true
    return () => {
      open.current = false
      if (underWay.current) notify('Your transaction continues in the background.', 'note')
    }
  }, [])
  return [() => open.current, underWay] as const
}

/** Tells that the wallet is another one; answers which it is now, to those who have waited. */
function useWalletChange(wallet: string, onChange: () => void): () => string {
  const seen = useRef(wallet)
  const change = useEffectEvent(onChange)
  useEffect(() => {
    if (seen.current === wallet) return
    seen.current = wallet
    change()
  }, [wallet])
  return () => seen.current
}

/** The step follows the allowance whenever nothing is under way. @param covers whether it is covered, or will be; undefined while that is read */
function useAllowance(
  { attempt, step, status }: BoostState,
  covers: boolean | undefined,
  dispatch: (event: { kind: 'allowanceRead'; covers: boolean }) => void,
): void {
  const state = `${attempt} ${step} ${status.kind}`
  // biome-ignore lint/correctness/useExhaustiveDependencies: looked at again whenever the state has changed
  useEffect(() => {
    if (covers !== undefined) dispatch({ kind: 'allowanceRead', covers })
  }, [covers, state, dispatch])
}

function useRest({ step, status }: BoostState, onRested: () => void): void {
  const rests = step === 'boost' && status.kind === 'success'
  const rested = useEffectEvent(onRested)
  useEffect(() => {
    if (!rests) return
    const timer = setTimeout(() => rested(), restMs)
    return () => clearTimeout(timer)
  }, [rests])
}

type Hash = `0x${string}`

/** `success` has nothing behind it: it is left by closing. */
export type BoostStep = 'approve' | 'boost' | 'success'

/** How the transaction of a step stands. `note` and `message` are for the visitor. */
export type BoostStatus =
  | { readonly kind: 'idle'; readonly note?: string }
  /** First what the step rests on is read again, then the wallet is asked, then the chain mines. */
  | { readonly kind: 'pending'; readonly phase: 'checking' | 'wallet' }
  | { readonly kind: 'pending'; readonly phase: 'chain'; readonly hash: Hash; readonly note?: string }
  | { readonly kind: 'success'; readonly hash: Hash }
  | { readonly kind: 'error'; readonly message: string; readonly hash?: Hash }

/** `attempt` goes up with every opening, so that late answers about an earlier one can be told and dropped. */
export type BoostState = { readonly attempt: number; readonly step: BoostStep; readonly status: BoostStatus }

export type BoostEvent =
  | { readonly kind: 'opened' }
  /** The allowance was read: whether it covers the price. */
  | { readonly kind: 'allowanceRead'; readonly covers: boolean }
  /** Another account, another chain, or none. */
  | { readonly kind: 'walletChanged' }
  | { readonly kind: 'pressed' }
  | ({ readonly attempt: number } & StepEvent)

export type StepEvent =
  /** What was read again differs from what the visitor has seen. */
  | { readonly kind: 'stopped'; readonly note?: string }
  | { readonly kind: 'walletAsked' }
  | { readonly kind: 'sent'; readonly hash: Hash }
  /** The wallet has put the same call into another transaction. */
  | { readonly kind: 'spedUp'; readonly hash: Hash }
  | { readonly kind: 'confirmed'; readonly hash: Hash }
  | { readonly kind: 'failed'; readonly message: string }
  /** The success of a step was shown for as long as it should be. */
  | { readonly kind: 'rested' }

/** Before the window was opened. */
export const closedBoost: BoostState = { attempt: 0, step: 'approve', status: { kind: 'idle' } }

const idle = { kind: 'idle' } as const

/** Decides what the story of a boost comes to. Pure: no wallet, no chain, no clock, so every story is a list of events. */
export function nextBoost(state: BoostState, event: BoostEvent): BoostState {
  const { step, status } = state
  const waits = status.kind === 'idle' || status.kind === 'error'
  switch (event.kind) {
    case 'opened':
      return { attempt: state.attempt + 1, step: 'approve', status: idle }
    case 'allowanceRead': {
      const wanted = event.covers ? 'boost' : 'approve'
      return waits && step !== 'success' && step !== wanted ? { ...state, step: wanted } : state
    }
    case 'walletChanged':
      // A transaction that is under way stays one, whoever looks at it.
      return waits && step !== 'success' ? { ...state, step: 'approve', status: idle } : state
    case 'pressed':
      return waits && step !== 'success' ? { ...state, status: { kind: 'pending', phase: 'checking' } } : state
    default:
      return event.attempt === state.attempt ? onStepEvent(state, event) : state
  }
}

function onStepEvent(state: BoostState, event: StepEvent): BoostState {
  const { step, status } = state
  if (event.kind === 'rested') return step === 'boost' && status.kind === 'success' ? { ...state, status: idle } : state
  if (status.kind !== 'pending') return state
  const { phase } = status
  switch (event.kind) {
    case 'stopped':
      return phase === 'checking' ? { ...state, status: event.note ? { ...idle, note: event.note } : idle } : state
    case 'walletAsked':
      return phase === 'checking' ? { ...state, status: { kind: 'pending', phase: 'wallet' } } : state
    case 'sent':
      return phase === 'wallet' ? { ...state, status: { kind: 'pending', phase: 'chain', hash: event.hash } } : state
    case 'spedUp':
      return phase === 'chain' ? { ...state, status: { ...status, hash: event.hash, note: spedUpText } } : state
    case 'confirmed': {
      if (phase !== 'chain') return state
      const { hash } = event
      return { ...state, step: step === 'approve' ? 'boost' : 'success', status: { kind: 'success', hash } }
    }
    case 'failed': {
      const hash = phase === 'chain' ? { hash: status.hash } : {}
      return { ...state, status: { kind: 'error', message: event.message, ...hash } }
    }
  }
}

const spedUpText = 'Your wallet replaced the transaction with this one.'

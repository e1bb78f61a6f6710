import type { Receipt } from '@chainboard/contract'
import { useEffect, useRef, useState } from 'react'
import { loadPart } from '../../lib/loadPart.ts'
import type { PriceClaim, Verdict, VerifyNode, VerifyStep } from '../../verify/verifyPrice.ts'
import { type StepLine, toStepLines } from './verifyState.ts'

type Run = { readonly seen: readonly VerifyStep[]; readonly verdict: Verdict | undefined; readonly waitText: string | undefined }

/** A verification of a receipt, as far as it has come. Its code comes with the first one. */
export function useVerify(receipt: Receipt) {
  const [run, setRun] = useState<Run>()
  const turn = useRef(0)
  // Whoever leaves, or begins another one, hears nothing more of the last.
  useEffect(
    () => () => {
      turn.current += 1
    },
    [],
  )
  const start = async (node: VerifyNode, claim: PriceClaim): Promise<void> => {
    turn.current += 1
    const own = turn.current
    const change = (next: (before: Run) => Run) => {
      if (turn.current === own) setRun((before) => next(before ?? { seen: [], verdict: undefined, waitText: undefined }))
    }
    setRun({ seen: [], verdict: undefined, waitText: undefined })
    const verdict = await verify(node, claim, {
      onStep: (step) => change((before) => ({ ...before, seen: [...before.seen, step], waitText: undefined })),
      onWait: (ms) => change((before) => ({ ...before, waitText: `Rate limit: waiting ${Math.ceil(ms / 1000)} s` })),
    })
    change((before) => ({ ...before, verdict, waitText: undefined }))
  }
  const lines: StepLine[] | undefined = run && toStepLines(receipt, run.seen, run.verdict)
  return { lines, verdict: run?.verdict, isRunning: run !== undefined && !run.verdict, waitText: run?.waitText, run: start }
}

type Listeners = { readonly onStep: (step: VerifyStep) => void; readonly onWait: (ms: number) => void }

async function verify(node: VerifyNode, claim: PriceClaim, listeners: Listeners): Promise<Verdict> {
  const code = await loadPart(() => import('../../verify/verifyPrice.ts')).catch(() => undefined)
  return code
    ? code.verifyPrice(node, claim, listeners)
    : { kind: 'cannot-tell', why: 'The verification code did not load. Try again' }
}

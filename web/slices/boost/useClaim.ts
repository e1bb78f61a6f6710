import { useState } from 'react'
import { encodeFunctionData } from 'viem/utils'
import { holdReload } from '../../lib/busy.ts'
import type { CallNode } from '../../lib/callNode.ts'
import { notify } from '../../lib/notice.ts'
import { boostAbi } from './boostAbi.ts'
import type { BoostParties } from './readFacts.ts'
import { transact } from './transact.ts'
import { type BoostWallet, wait } from './useBoost.ts'

export type Claim =
  | { readonly kind: 'idle' | 'wallet' }
  | { readonly kind: 'chain'; readonly hash: string }
  | { readonly kind: 'failed'; readonly message: string }

type Options = {
  readonly parties: BoostParties
  readonly call: CallNode
  readonly wallet: BoostWallet
  readonly onClaimed: () => unknown
}

/** Takes back what a wallet has paid for boosts that were removed. Works in a pause, too. */
export function useClaim({ parties, call, wallet: { address, send }, onClaimed }: Options) {
  const [claim, setClaim] = useState<Claim>({ kind: 'idle' })
  const run = async () => {
    if (!address || !send || claim.kind === 'wallet' || claim.kind === 'chain') return
    setClaim({ kind: 'wallet' })
    const letGo = holdReload()
    try {
      const data = encodeFunctionData({ abi: boostAbi, functionName: 'claimRefund', args: [parties.usdc.address] })
      const onHash = (hash: string) => setClaim({ kind: 'chain', hash })
      const deps = { call, from: address, send, wait, nowMs: () => Date.now() }
      const done = await transact(deps, { to: parties.contract, data }, 'The refund was not paid out', {
        onSent: onHash,
        onSpedUp: onHash,
      })
      if ('message' in done) return setClaim({ kind: 'failed', message: done.message })
      setClaim({ kind: 'idle' })
      notify('Your refund is in your wallet')
      await onClaimed()
    } finally {
      letGo()
    }
  }
  return { claim, run: () => void run() }
}

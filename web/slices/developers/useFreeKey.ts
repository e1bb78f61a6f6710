import type { WireConfig } from '@chainboard/contract'
import { useEffect, useState } from 'react'
import { holdReload } from '../../lib/busy.ts'
import { RequestError, sendJson } from '../../lib/fetchJson.ts'
import { freeKeyUrl } from '../../lib/priceApiUrls.ts'
import { type SignText, signProof } from '../../lib/signProof.ts'

export type FreeKey =
  | { readonly kind: 'idle'; readonly error?: string }
  | { readonly kind: 'signing' | 'making' }
  | { readonly kind: 'made'; readonly key: string; readonly wallet: string }

type Options = { readonly config: WireConfig | undefined; readonly sign: SignText; readonly onKey: (key: string) => void }

/** The steps to a free key. The page does not load itself anew while a key is shown that cannot be shown again. */
export function useFreeKey({ config, sign, onKey }: Options) {
  const [state, setState] = useState<FreeKey>({ kind: 'idle' })
  useEffect(() => (state.kind === 'idle' ? undefined : holdReload()), [state.kind])

  const generate = async (wallet: string) => {
    if (!config || state.kind === 'signing' || state.kind === 'making') return
    setState({ kind: 'signing' })
    const signed = await signProof({ purpose: 'Free API Key', wallet, config }, sign)
    if ('error' in signed) return setState({ kind: 'idle', error: signed.error })
    setState({ kind: 'making' })
    try {
      const { key } = await sendJson<{ key: string }>('POST', freeKeyUrl, signed.proof)
      onKey(key)
      setState({ kind: 'made', key, wallet })
    } catch (error) {
      const serverText = error instanceof RequestError ? error.serverText : undefined
      setState({ kind: 'idle', error: serverText ?? 'Failed to generate API key' })
    }
  }
  return { state, generate, again: () => setState({ kind: 'idle' }) }
}

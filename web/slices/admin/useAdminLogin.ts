import type { WireConfig } from '@chainboard/contract'
import { useState } from 'react'
import { sendJson } from '../../lib/fetchJson.ts'
import { type SignText, signProof } from '../../lib/signProof.ts'
import { adminUrls } from '../../lib/urls.ts'
import { startAdminSession } from './adminSession.ts'
import { toFailureText } from './callAdmin.ts'

type State = { readonly busy: boolean; readonly error?: string }

/** Signing in with a wallet that may. */
export function useAdminLogin(config: WireConfig | undefined, sign: SignText) {
  const [state, setState] = useState<State>({ busy: false })
  const logIn = async (wallet: string) => {
    if (!config || state.busy) return
    setState({ busy: true })
    const signed = await signProof({ purpose: 'Admin Login', wallet, config }, sign)
    if ('error' in signed) return setState({ busy: false, error: signed.error })
    try {
      await sendJson('POST', adminUrls.verify, signed.proof)
      startAdminSession(signed.proof)
    } catch (error) {
      setState({ busy: false, error: toFailureText(error, 'Failed to authenticate. Please try again.') })
    }
  }
  return { ...state, logIn }
}

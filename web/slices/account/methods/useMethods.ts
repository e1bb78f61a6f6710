import type { WireSignInMethods } from '@chainboard/contract'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { fetchJson, RequestError } from '../../../lib/fetchJson.ts'
import { notify } from '../../../lib/notice.ts'
import { signInMethodUrls } from '../../../lib/signInUrls.ts'
import { changeMethods, type MethodChange, type Prover, type Signer } from './methodCalls.ts'

const toKey = (username: string) => ['signInMethods', username]

/** The passkeys and wallets that sign a user in. */
export function useMethods(username: string) {
  return useQuery({
    queryKey: toKey(username),
    queryFn: ({ signal }): Promise<WireSignInMethods> => fetchJson(signInMethodUrls(username).list, signal),
  })
}

/** The change that waits to be confirmed, and what became of the last try. */
export type PendingMethod = { readonly change: MethodChange; readonly busy: boolean; readonly error: string | undefined }

const done: Readonly<Record<MethodChange['kind'], string>> = {
  'link-passkey': 'Passkey added',
  'link-wallet': 'Wallet linked',
  'remove-passkey': 'Passkey removed',
  'remove-wallet': 'Wallet removed',
}

/** The heading under which a kind of change is asked for and confirmed. */
export const headings = { passkeys: 'passkeys', wallets: 'sign-in-wallets' } as const

function headingOf(kind: MethodChange['kind']): string {
  return kind === 'link-passkey' || kind === 'remove-passkey' ? headings.passkeys : headings.wallets
}

/** One change of the ways to sign in at a time: asked for, then confirmed or cancelled. */
export function useMethodChange(owner: { readonly username: string; readonly signer: Signer }) {
  const [pending, setPending] = useState<PendingMethod>()
  const client = useQueryClient()
  /** The box that had the focus is gone, and so may be what opened it. */
  const close = ({ kind }: MethodChange) => {
    setPending(undefined)
    requestAnimationFrame(() => document.getElementById(headingOf(kind))?.focus())
  }
  return {
    pending,
    ask(change: MethodChange) {
      if (pending?.busy) return
      setPending({ change, busy: false, error: undefined })
    },
    cancel: () => pending && close(pending.change),
    async confirm(prover: Prover) {
      if (!pending || pending.busy) return
      const { change } = pending
      setPending({ change, busy: true, error: undefined })
      try {
        client.setQueryData(toKey(owner.username), await changeMethods(owner, change, prover))
        notify(done[change.kind])
        close(change)
      } catch (error) {
        const serverText = error instanceof RequestError ? error.serverText : undefined
        setPending({ change, busy: false, error: serverText ?? 'That did not work. Try again.' })
      }
    },
  }
}

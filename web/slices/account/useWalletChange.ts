import type { WireUser } from '@chainboard/contract'
import { useRef, useState } from 'react'
import { notify } from '../../lib/notice.ts'
import { changeWallets, describeChangeFailure, type PinHolder, type WalletChange } from './changeWallets.ts'

/** The change that waits for a PIN, and what became of the last try. */
export type PendingChange = WalletChange & { readonly busy: boolean; readonly error: string | undefined }

/** One change of the wallet list at a time: asked for, then confirmed with a PIN or cancelled. */
export function useWalletChange(holder: PinHolder, onUser: (user: WireUser) => void) {
  const [pending, setPending] = useState<PendingChange>()
  const opener = useRef<Element>(null)
  return {
    pending,
    ask(change: WalletChange) {
      if (pending?.busy) return
      opener.current = document.activeElement
      setPending({ ...change, busy: false, error: undefined })
    },
    cancel() {
      setPending(undefined)
      const { current } = opener
      if (current instanceof HTMLElement && current.isConnected) current.focus()
    },
    /** `true` when it is done. */
    async confirm(pin: string): Promise<boolean> {
      if (!pending || pending.busy) return false
      setPending({ ...pending, busy: true, error: undefined })
      try {
        const user = await changeWallets(holder, pending, pin)
        setPending(undefined)
        onUser(user)
        notify(pending.kind === 'add' ? 'Wallet added' : 'Wallet removed')
        return true
      } catch (error) {
        setPending({ ...pending, busy: false, error: describeChangeFailure(pending.kind, error) })
        return false
      }
    },
  }
}

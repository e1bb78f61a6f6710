import type { WireConfig, WireUser } from '@chainboard/contract'
import { shortenAddress } from '@chainboard/core'
import { memo, useRef, useState } from 'react'
import { SectionHead } from '../../ui/SectionHead.tsx'
import { AddWalletForm } from './AddWalletForm.tsx'
import type { PinHolder } from './changeWallets.ts'
import { checkWalletAddress, walletsMax } from './checkWalletAddress.ts'
import { PinBox } from './PinBox.tsx'
import { useWalletChange } from './useWalletChange.ts'
import { WalletList } from './WalletList.tsx'

type Props = {
  readonly username: string
  readonly rememberedPin: PinHolder['rememberedPin']
  readonly wallets: readonly string[]
  readonly explorer: WireConfig['explorer'] | undefined
  readonly onUser: (user: WireUser) => void
}

/** Which wallets the user watches, and the ways to change that. Each change wants the PIN. */
export const WalletsSection = memo(function WalletsSection({ username, rememberedPin, wallets, explorer, onUser }: Props) {
  const [text, setText] = useState('')
  const [error, setError] = useState<string>()
  const { pending, ask, cancel, confirm } = useWalletChange({ username, rememberedPin }, onUser)
  const section = useRef<HTMLElement>(null)

  const submit = () => {
    const checked = checkWalletAddress(text, wallets)
    setError(checked.kind === 'bad' ? checked.reason : undefined)
    if (checked.kind === 'good') ask({ kind: 'add', address: checked.address })
  }
  const confirmWith = async (pin: string) => {
    const kind = pending?.kind
    if (!(await confirm(pin))) return
    if (kind === 'add') setText('')
    // The box that had the focus is gone.
    section.current?.focus()
  }
  const box = pending && (
    <PinBox
      key={`${pending.kind} ${pending.address}`}
      confirmText="Confirm"
      busy={pending.busy}
      error={pending.error}
      onConfirm={(pin) => void confirmWith(pin)}
      onCancel={cancel}
    >
      {pending.kind === 'add' ? 'Enter your PIN to add ' : 'Enter your PIN to remove '}
      <span className="font-mono text-13">{shortenAddress(pending.address)}</span>
    </PinBox>
  )
  return (
    <section ref={section} tabIndex={-1} aria-labelledby="wallets" className="pt-8 outline-none">
      <SectionHead id="wallets" text="Wallets" note={wallets.length > 0 ? `${wallets.length} of ${walletsMax}` : ''} />
      <div className="mt-1">
        <AddWalletForm
          text={text}
          onText={(typed) => {
            setText(typed)
            setError(undefined)
          }}
          error={error}
          blocked={pending !== undefined}
          onSubmit={submit}
        />
        {pending?.kind === 'add' && <div className="mt-2 max-w-110">{box}</div>}
      </div>
      <div className="mt-3">
        <WalletList
          wallets={wallets}
          explorer={explorer}
          blocked={pending?.busy ?? false}
          onRemove={(address) => ask({ kind: 'remove', address })}
          removal={(address) => pending?.kind === 'remove' && pending.address === address && <div className="mt-2">{box}</div>}
        />
      </div>
    </section>
  )
})

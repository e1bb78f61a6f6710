import type { WireSignInMethods } from '@chainboard/contract'
import { shortenAddress } from '@chainboard/core'
import type { ReactNode } from 'react'
import { outlinedControl } from '../../../ui/buttonStyles.ts'
import { QueryView } from '../../../ui/QueryView.tsx'
import { PinBox } from '../PinBox.tsx'
import { canUsePasskeys } from './canUsePasskeys.ts'
import { ForgottenPin } from './ForgottenPin.tsx'
import { MethodList } from './MethodList.tsx'
import type { MethodChange, Signer } from './methodCalls.ts'
import { OtherProofs } from './OtherProofs.tsx'
import { headings, type PendingMethod, useMethodChange, useMethods } from './useMethods.ts'

type Props = {
  readonly username: string
  readonly signer: Signer
  /** Connects a wallet, and shows the one that is. */
  readonly walletControl: ReactNode
}

/** The passkeys and wallets that sign the user in beside the PIN, and what they can do when it is forgotten. */
export function SignInMethods(props: Props) {
  const query = useMethods(props.username)
  return (
    <QueryView
      query={query}
      isEmpty={() => false}
      waiting={<div className="h-36" />}
      empty={() => null}
      failureText="Failed to load your passkeys"
    >
      {(methods) => <Methods {...props} methods={methods} />}
    </QueryView>
  )
}

function Methods({ username, signer, walletControl, methods }: Props & { readonly methods: WireSignInMethods }) {
  const change = useMethodChange({ username, signer })
  const { pending } = change
  const { passkeys, wallets } = methods
  const box = (of: (change: MethodChange) => boolean, words: { text: ReactNode; confirmText: string; danger?: boolean }) =>
    pending && of(pending.change) ? <ConfirmBox {...{ pending, change, methods, signer }} {...words} /> : undefined
  const removal = (of: (change: MethodChange) => boolean, name: string) =>
    box(of, { text: <>Confirm to remove {name}.</>, confirmText: 'Remove', danger: true })
  const blocked = pending?.busy ?? false
  return (
    <>
      <section aria-labelledby={headings.passkeys}>
        <h3 id={headings.passkeys} tabIndex={-1} className="scroll-mt-20 rounded-6 text-14 font-strong outline-none">
          Passkeys
        </h3>
        <p className="mt-1 mb-3 max-w-120 text-13 text-ink-2 desk:min-h-10">
          Log in with your fingerprint, face or screen lock. It needs no username, and wrong PINs never block it.
        </p>
        <MethodList
          label="Passkeys"
          methods={passkeys.map((passkey) => ({ ...passkey, key: passkey.id, detail: undefined }))}
          blocked={blocked}
          onRemove={({ key, name }) => change.ask({ kind: 'remove-passkey', id: key, name })}
          removal={({ key, name }) => removal((it) => it.kind === 'remove-passkey' && it.id === key, name)}
        />
        {box((it) => it.kind === 'link-passkey', { text: 'Confirm to add a passkey.', confirmText: 'Confirm' }) ??
          (canUsePasskeys(window) ? (
            <AddButton text="Add a Passkey" blocked={blocked} onPress={() => change.ask({ kind: 'link-passkey' })} />
          ) : (
            <p className="text-13 text-ink-2">Not available here: passkeys need https and a domain name, or localhost.</p>
          ))}
      </section>
      <section aria-labelledby={headings.wallets}>
        <h3 id={headings.wallets} tabIndex={-1} className="scroll-mt-20 rounded-6 text-14 font-strong outline-none">
          Sign in with Ethereum
        </h3>
        <p className="mt-1 mb-3 max-w-120 text-13 text-ink-2 desk:min-h-10">
          Log in by signing a message with your wallet. It is free and moves no funds.
        </p>
        <MethodList
          label="Wallets to sign in with"
          methods={wallets.map((wallet) => ({ ...wallet, key: wallet.address, detail: shortenAddress(wallet.address) }))}
          blocked={blocked}
          onRemove={({ key, name }) => change.ask({ kind: 'remove-wallet', address: key, name })}
          removal={({ key, name }) => removal((it) => it.kind === 'remove-wallet' && it.address === key, name)}
        />
        {box((it) => it.kind === 'link-wallet', {
          text: signer.address ? (
            <>
              Confirm to link <span className="font-mono text-13">{shortenAddress(signer.address)}</span>, then sign with it.
            </>
          ) : (
            'Confirm to link your wallet.'
          ),
          confirmText: 'Confirm',
        }) ?? <LinkWallet {...{ signer, walletControl, blocked, wallets }} onLink={() => change.ask({ kind: 'link-wallet' })} />}
      </section>
      {(passkeys.length > 0 || wallets.length > 0) && (
        <ForgottenPin username={username} signer={signer} methods={methods} walletControl={walletControl} />
      )}
    </>
  )
}

type LinkProps = {
  readonly signer: Signer
  readonly walletControl: ReactNode
  readonly wallets: readonly { readonly address: string }[]
  readonly blocked: boolean
  readonly onLink: () => void
}

function LinkWallet({ signer, walletControl, wallets, blocked, onLink }: LinkProps) {
  if (signer.address === undefined) return <div className="max-w-60">{walletControl}</div>
  if (wallets.some(({ address }) => address === signer.address))
    return <p className="text-13 text-ink-2">Your connected wallet is linked. Connect another one to link it.</p>
  return <AddButton text={`Link ${shortenAddress(signer.address)}`} blocked={blocked} onPress={onLink} />
}

function AddButton({
  text,
  blocked,
  onPress,
}: {
  readonly text: string
  readonly blocked: boolean
  readonly onPress: () => void
}) {
  return (
    <button type="button" disabled={blocked} onClick={onPress} className={`${outlinedControl} disabled:text-ink-3 touch:h-11`}>
      {text}
    </button>
  )
}

type BoxProps = {
  readonly pending: PendingMethod
  readonly change: ReturnType<typeof useMethodChange>
  readonly methods: WireSignInMethods
  readonly signer: Signer
  readonly text: ReactNode
  readonly confirmText: string
  readonly danger?: boolean
}

/** Asks for a proof that the one who is signed in is the owner: a session may be stolen. */
function ConfirmBox({ pending, change, methods, signer, text, confirmText, danger = false }: BoxProps) {
  return (
    <PinBox
      danger={danger}
      confirmText={confirmText}
      busy={pending.busy}
      error={pending.error}
      onConfirm={(pin) => void change.confirm({ pin })}
      onCancel={change.cancel}
      instead={<OtherProofs methods={methods} signer={signer} busy={pending.busy} onProve={(way) => void change.confirm(way)} />}
    >
      {text}
    </PinBox>
  )
}

import { Suspense, useEffect, useRef, useState } from 'react'
import { lazyPart } from '../../lib/lazyPart.tsx'
import { useDismiss } from '../../lib/useDismiss.ts'
import { Boundary } from '../../ui/Boundary.tsx'
import { outlinedControl } from '../../ui/buttonStyles.ts'
import { PartNote } from '../../ui/PartNote.tsx'
import { useWallet } from './useWallet.ts'
import { WalletFace } from './WalletFace.tsx'
import { fetchWalletAhead } from './walletCommands.ts'

const WalletPanel = lazyPart(() => import('./WalletPanel.tsx'))

/** The code behind the button comes with the first sign that it will be pressed. */
function fetchAhead(): void {
  fetchWalletAhead()
  WalletPanel.load().catch(() => undefined)
}

const intent = { onPointerEnter: fetchAhead, onFocus: fetchAhead }

/**
 * Connects the visitor's wallet and says how that stands. `bar`: one button of a fixed width with a panel under it;
 * `menu`: everything in the open, as wide as where it stands.
 */
export function WalletButton({ layout }: { readonly layout: 'bar' | 'menu' }) {
  return layout === 'bar' ? <BarWallet /> : <MenuWallet />
}

function BarWallet() {
  const wallet = useWallet()
  const [open, setOpen] = useOpenUntilConnected(wallet.kind === 'connected' && wallet.chainOk && !wallet.switching)
  const root = useRef<HTMLDivElement>(null)
  const button = useRef<HTMLButtonElement>(null)
  const hasPanel = wallet.kind !== 'disconnected' || wallet.error !== undefined
  const shown = open && hasPanel

  const close = (how: 'leave' | 'dismiss') => {
    // The wallet's own window may stand over the page: only what is said to this page ends the asking.
    if (wallet.kind === 'choosing' || (wallet.kind === 'connecting' && how === 'leave')) wallet.disconnect()
    setOpen(false)
  }
  useDismiss(root, shown, close)
  useFocusBack(button, shown)

  const press = () => {
    if (wallet.kind !== 'disconnected') return shown ? close('leave') : setOpen(true)
    wallet.connect()
    setOpen(true)
  }
  return (
    <div ref={root} className="relative">
      <button
        ref={button}
        type="button"
        aria-haspopup="dialog"
        aria-expanded={shown}
        aria-busy={wallet.kind === 'connecting'}
        onClick={press}
        {...intent}
        className={`${outlinedControl} w-44 min-[1232px]:w-52 touch:h-11 ${wallet.kind === 'connected' ? 'justify-start! px-2.5!' : ''}`}
      >
        <WalletFace wallet={wallet} />
      </button>
      {shown && (
        <div className="appear absolute top-full right-0 z-40 mt-2 w-84 max-w-[calc(100vw-2rem)] rounded-14 border border-line-strong bg-surface-1">
          <LazyPanel layout="bar" onClose={() => close('leave')} />
        </div>
      )}
    </div>
  )
}

function MenuWallet() {
  const wallet = useWallet()
  const button = useRef<HTMLButtonElement>(null)
  const hasPanel = wallet.kind !== 'disconnected' || wallet.error !== undefined
  useFocusBack(button, hasPanel)
  return (
    <div className="tablet:max-w-96">
      {wallet.kind === 'disconnected' && (
        <button
          ref={button}
          type="button"
          onClick={wallet.connect}
          {...intent}
          className={`${outlinedControl} w-full touch:h-12`}
        >
          <WalletFace wallet={wallet} />
        </button>
      )}
      {hasPanel && (
        <div className="rounded-14 border border-line-strong not-first:mt-2">
          <LazyPanel layout="menu" onClose={wallet.disconnect} />
        </div>
      )}
    </div>
  )
}

function LazyPanel(props: { readonly layout: 'bar' | 'menu'; readonly onClose: () => void }) {
  return (
    <Boundary fallback={(retry) => <PartNote {...retry} text="This part did not load." className="p-4" />}>
      <Suspense fallback={<div className="h-30" />}>
        <WalletPanel {...props} />
      </Suspense>
    </Boundary>
  )
}

/** Open until `done` becomes true: then there is nothing left to ask. */
function useOpenUntilConnected(done: boolean): [boolean, (open: boolean) => void] {
  const [open, setOpen] = useState(false)
  const [wasDone, setWasDone] = useState(done)
  if (done !== wasDone) {
    setWasDone(done)
    if (done) setOpen(false)
  }
  return [open, setOpen]
}

/** Gives the focus back to the button when the panel that had it is gone. */
function useFocusBack(button: { readonly current: HTMLButtonElement | null }, shown: boolean): void {
  const wasShown = useRef(shown)
  useEffect(() => {
    if (wasShown.current && !shown && document.activeElement === document.body) button.current?.focus()
    wasShown.current = shown
  }, [button, shown])
}

import { useEffect, useId, useRef } from 'react'
import { IconButton } from '../../ui/IconButton.tsx'
import { ConnectedWallet } from './ConnectedWallet.tsx'
import { useWallet, type Wallet } from './useWallet.ts'
import { WalletChoice } from './WalletChoice.tsx'

type Props = {
  readonly layout: 'bar' | 'menu'
  /** Ends what the panel is about: closes it, and cancels what has not come to an end. */
  readonly onClose: () => void
}

function toTitle({ kind, chainOk }: Wallet, layout: Props['layout']): string {
  if (kind === 'connected') return chainOk ? 'Your wallet' : 'Wrong network'
  if (kind === 'disconnected') return 'Not connected'
  // In the bar the button says it.
  return kind === 'connecting' && layout === 'menu' ? 'Connecting...' : 'Connect a wallet'
}

/** Everything about the wallet that does not fit into the button. */
export default function WalletPanel({ layout, onClose }: Props) {
  const wallet = useWallet()
  const id = useId()
  const panel = useRef<HTMLDivElement>(null)
  const title = toTitle(wallet, layout)
  useFocusHere(panel, `${wallet.kind} ${title}`, layout === 'bar')
  return (
    <section
      ref={panel}
      tabIndex={-1}
      role={layout === 'bar' ? 'dialog' : undefined}
      // A choice within the menu is held like the one in the bar: keepFresh.ts looks for it.
      data-like-dialog={wallet.kind === 'choosing' ? '' : undefined}
      aria-labelledby={id}
      className="rounded-14 outline-none"
    >
      <div className="flex min-h-12 items-center justify-between gap-2 pt-1 pr-2 pl-4">
        <h2
          id={id}
          className={`text-14 font-strong ${wallet.kind === 'connected' && !wallet.chainOk ? 'text-warn' : 'text-ink'}`}
        >
          {title}
        </h2>
        {layout === 'bar' && <IconButton icon="close" label="Close" iconSize={16} onClick={onClose} />}
      </div>
      {wallet.kind === 'connected' ? <ConnectedWallet onLeft={onClose} /> : <WalletChoice layout={layout} onCancel={onClose} />}
    </section>
  )
}

/** Takes the focus when the panel opens, and when the step that had it is over: what was pressed may be gone. */
function useFocusHere(panel: { readonly current: HTMLElement | null }, step: string, opens: boolean): void {
  const seen = useRef('')
  useEffect(() => {
    const { activeElement } = document
    const isFirst = seen.current === ''
    seen.current = step
    if (activeElement === document.body || (opens && isFirst)) panel.current?.focus({ preventScroll: true })
  }, [panel, step, opens])
}

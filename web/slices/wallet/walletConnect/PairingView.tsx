import { useSyncExternalStore } from 'react'
import { encode } from 'uqr'
import { useMediaQuery } from '../../../lib/useMediaQuery.ts'
import { useNow } from '../../../lib/useNow.ts'
import { filledControl } from '../../../ui/buttonStyles.ts'
import { CopyButton } from '../../../ui/CopyButton.tsx'
import { Spinner } from '../../../ui/Spinner.tsx'
import type { Pairing } from './pairing.ts'

/** The way to a wallet on another device, or in another app of a phone, until it has answered. */
export default function PairingView({ pairing }: { readonly pairing: Pairing }) {
  const state = useSyncExternalStore(pairing.subscribe, pairing.read)
  if (state.kind === 'opening')
    return (
      <div className="flex items-center gap-3 px-2 pb-3 text-13 text-ink-2">
        <Spinner size={16} label="" />
        Connecting to WalletConnect
      </div>
    )
  if (state.kind === 'waiting') return <Code {...state} relayHost={pairing.relayHost} />
  const isExpired = state.kind === 'expired'
  return (
    <div className="px-2 pb-1">
      <p role="alert" className="pb-3 text-13 text-down">
        {isExpired
          ? 'The code has expired. No wallet was connected.'
          : `WalletConnect did not answer (${pairing.relayHost}). Check your connection, or use another wallet.`}
      </p>
      <button type="button" onClick={pairing.renew} className={`${filledControl} w-full touch:h-11`}>
        {isExpired ? 'New code' : 'Retry'}
      </button>
    </div>
  )
}

type CodeProps = { readonly uri: string; readonly untilSeconds: number; readonly relayHost: string }

function Code({ uri, untilSeconds, relayHost }: CodeProps) {
  const onPhone = useMediaQuery('(pointer: coarse)')
  return (
    <div className="flex flex-col gap-3 px-2 pb-1">
      <p role="status" className="text-13 text-ink-2">
        {onPhone ? "Open your wallet's app and confirm there." : "Scan the code with your wallet's app."}
      </p>
      {onPhone ? (
        <a href={uri} className={`${filledControl} touch:h-11`}>
          Open wallet app
        </a>
      ) : (
        <QrCode text={uri} />
      )}
      <div className="flex items-center justify-between gap-3">
        <CopyButton text={uri} className="h-9 min-w-28 touch:h-11">
          Copy link
        </CopyButton>
        <TimeLeft untilSeconds={untilSeconds} />
      </div>
      <p className="text-12 text-ink-3">
        Don't share the code: the first wallet that answers is connected. Messages are encrypted and go through {relayHost}.
      </p>
    </div>
  )
}

function TimeLeft({ untilSeconds }: { readonly untilSeconds: number }) {
  const left = Math.max(0, untilSeconds - useNow())
  const seconds = String(left % 60).padStart(2, '0')
  return (
    <span className="figures text-12 text-ink-2">
      Valid for {Math.floor(left / 60)}:{seconds}
    </span>
  )
}

/** The edge that readers need around a code, in modules. */
const border = 4

/** Black on white in both themes: not every reader knows it the other way round. */
function QrCode({ text }: { readonly text: string }) {
  const { data, size } = encode(text, { ecc: 'L', border })
  const path = data.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : []))).join('')
  return (
    <svg
      role="img"
      aria-label="QR code for your wallet's app"
      viewBox={`0 0 ${size} ${size}`}
      shapeRendering="crispEdges"
      className="mx-auto w-full max-w-72 rounded-8"
    >
      <rect width={size} height={size} fill="#fff" />
      <path d={path} fill="#000" />
    </svg>
  )
}

import type { WalletView } from './usePortfolio.ts'

/** What of a wallet could not be read, in one quiet line, and the way to ask again. Nothing when all was. */
export function WalletTrouble({ wallet }: { readonly wallet: WalletView }) {
  const text = describeTrouble(wallet)
  if (text === '') return null
  return (
    <p role="status" className="flex flex-wrap items-center gap-x-3 border-line border-b py-1 text-13 text-warn tablet:px-3">
      {text}
      <button
        type="button"
        onClick={wallet.retry}
        disabled={wallet.busy}
        className="min-h-8 font-strong underline underline-offset-4 touch:min-h-11"
      >
        {wallet.busy ? 'Trying…' : 'Try Again'}
      </button>
    </p>
  )
}

/** `Balances could not be read. Some stakes could not be read.` */
export function describeTrouble({
  block,
  oldSinceMs,
  stakesFailed,
}: Pick<WalletView, 'block' | 'oldSinceMs' | 'stakesFailed'>): string {
  const old = oldSinceMs !== undefined && `Balances are from ${new Date(oldSinceMs).toLocaleTimeString('en-GB')}.`
  const balances = block === undefined ? 'Balances could not be read.' : old
  return [balances, stakesFailed && 'Some stakes could not be read.'].filter(Boolean).join(' ')
}

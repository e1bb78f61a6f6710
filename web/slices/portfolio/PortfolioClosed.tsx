import { Link } from 'wouter'
import { loginPath } from '../../lib/urls.ts'
import { filledControl } from '../../ui/buttonStyles.ts'
import { Icon } from '../../ui/Icon.tsx'

/** What a visitor without an account sees of the portfolio. */
export function PortfolioClosed() {
  return (
    <>
      <h1 className="pt-8 pb-4 text-20 font-strong tracking-tight">Portfolio</h1>
      <div className="flex min-h-80 flex-col items-center justify-center gap-2 rounded-14 border border-line-strong border-dashed px-6 py-12 text-center">
        <span className="text-ink-3">
          <Icon name="wallet" size={24} />
        </span>
        <p className="font-strong">Please log in to view your portfolio</p>
        <p className="max-w-90 text-13 text-ink-2">
          See what your wallets hold and stake, in one place. Any address works: nothing to connect or sign.
        </p>
        <Link to={loginPath} className={`${filledControl} mt-4 touch:h-11`}>
          Login
        </Link>
      </div>
    </>
  )
}

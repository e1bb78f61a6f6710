import { Redirect, Route, Switch } from 'wouter'
import { poolsPath, swapsPath } from '../../lib/marketPaths.ts'
import { homePath } from '../../lib/urls.ts'
import { ReceiptPage } from '../lazyReceipt.ts'
import { PoolsPage, SwapsPage, WalletPage } from './FeedPages.tsx'
import { PoolPage } from './PoolPage.tsx'
import { TokenPage } from './TokenPage.tsx'

/** Pages of the market. Every other path leads home. */
export default function MarketPages() {
  return (
    <Switch>
      <Route path="/token/:token">{({ token }) => <TokenPage key={token} asked={token} />}</Route>
      <Route path="/token/:token/receipt">{({ token }) => <ReceiptPage key={token} address={token} />}</Route>
      <Route path={poolsPath}>
        <PoolsPage />
      </Route>
      <Route path="/pool/:address">{({ address }) => <PoolPage key={address} address={address} />}</Route>
      <Route path={swapsPath}>
        <SwapsPage />
      </Route>
      <Route path="/wallet/:address">{({ address }) => <WalletPage key={address} address={address} />}</Route>
      <Route>
        <Redirect to={homePath} replace />
      </Route>
    </Switch>
  )
}

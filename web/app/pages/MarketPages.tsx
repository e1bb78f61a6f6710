import { Redirect, Route, Switch } from 'wouter'
import { homePath } from '../../lib/urls.ts'
import { TokenPage } from './TokenPage.tsx'

/** Pages of the market. Every other path leads home. */
export default function MarketPages() {
  return (
    <Switch>
      <Route path="/token/:token">{({ token }) => <TokenPage key={token} asked={token} />}</Route>
      <Route>
        <Redirect to={homePath} replace />
      </Route>
    </Switch>
  )
}

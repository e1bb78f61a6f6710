import { Redirect, Route, Switch } from 'wouter'
import { homePath } from '../lib/urls.ts'
import { HomePage } from './pages/HomePage.tsx'

/** Which page an address shows. Every other path leads home. */
export function Pages() {
  return (
    <Switch>
      <Route path={homePath}>
        <HomePage />
      </Route>
      <Route>
        <Redirect to={homePath} replace />
      </Route>
    </Switch>
  )
}

import type { ReactNode } from 'react'
import { type QueryFacts, toQueryState } from '../lib/queryState.ts'
import { FailureLine } from './FailureLine.tsx'
import { FailureNote } from './FailureNote.tsx'
import { StaleNote } from './StaleNote.tsx'

type Props<T> = {
  readonly query: QueryFacts<T> & { readonly isFetching: boolean; readonly refetch: () => unknown }
  readonly isEmpty: (data: T) => boolean
  readonly waiting: ReactNode
  readonly empty: (data: T) => ReactNode
  readonly failureText: string
  /** Show the server's own error text instead of `failureText` when it sends one. */
  readonly preferServerText?: boolean
  /** For a part that the page can do without: a failure is one line, and old data needs no words. */
  readonly quiet?: boolean
  readonly children: (data: T, isPrevious: boolean) => ReactNode
}

/** The one place where waiting, failing, empty and stale become something to look at. */
export function QueryView<T>({ query, isEmpty, waiting, empty, failureText, preferServerText, quiet, children }: Props<T>) {
  const state = toQueryState(query, isEmpty)
  const retry = () => void query.refetch()
  if (state.kind === 'failed') {
    const text = (preferServerText ? state.serverText : undefined) ?? failureText
    const Failure = quiet ? FailureLine : FailureNote
    return <Failure text={text} busy={query.isFetching} onRetry={retry} />
  }
  const since = state.kind === 'waiting' ? undefined : state.failedSinceMs
  // One place for all three: what stands in two of them alike stays, with the focus in it.
  return (
    <>
      {since !== undefined && !quiet && <StaleNote sinceMs={since} busy={query.isFetching} onRetry={retry} />}
      {state.kind === 'waiting' ? waiting : state.kind === 'empty' ? empty(state.data) : children(state.data, state.isPrevious)}
    </>
  )
}

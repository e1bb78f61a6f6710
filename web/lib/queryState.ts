import { RequestError } from './fetchJson.ts'

/** What a query's screen has to show. `failedSinceMs` (unix) is set while old data stands in for an answer that does not come. */
export type QueryState<T> =
  | { readonly kind: 'waiting' }
  | { readonly kind: 'failed'; readonly serverText: string | undefined }
  | { readonly kind: 'empty'; readonly data: T; readonly failedSinceMs: number | undefined }
  | { readonly kind: 'ready'; readonly data: T; readonly failedSinceMs: number | undefined; readonly isPrevious: boolean }

/** The part of a TanStack query this decision rests on. */
export type QueryFacts<T> = {
  readonly data: T | undefined
  readonly error: unknown
  readonly isPlaceholderData: boolean
  readonly dataUpdatedAt: number
}

/** Decides once, for every screen, between waiting, failing, empty and ready. Data that is there is never taken away by a failure. */
export function toQueryState<T>(query: QueryFacts<T>, isEmpty: (data: T) => boolean): QueryState<T> {
  const { data, error, isPlaceholderData, dataUpdatedAt } = query
  if (data === undefined) {
    if (!error) return { kind: 'waiting' }
    return { kind: 'failed', serverText: error instanceof RequestError ? error.serverText : undefined }
  }
  const failedSinceMs = error ? dataUpdatedAt : undefined
  if (isEmpty(data) && !isPlaceholderData) return { kind: 'empty', data, failedSinceMs }
  return { kind: 'ready', data, failedSinceMs, isPrevious: isPlaceholderData }
}

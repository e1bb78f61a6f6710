import type { ParamsOf, Path, QueryOf } from '@chainboard/contract'

/**
 * The address of a route of this server. A path, a parameter or a query that no route has does not compile.
 * `apiUrl('/api/tokens/:address/swaps', { address: '0xAb' }, { limit: 5 })` -> `/api/tokens/0xAb/swaps?limit=5`
 */
export function apiUrl<P extends Path>(path: P, params: ParamsOf<P>, query: QueryOf<P> = {}): string {
  const filled = Object.entries<string>(params).reduce<string>(
    (url, [name, value]) => url.replace(`:${name}`, encodeURIComponent(value)),
    path,
  )
  const search = new URLSearchParams(Object.entries(query).map(([name, value]) => [name, String(value)]))
  return search.size > 0 ? `${filled}?${search}` : filled
}

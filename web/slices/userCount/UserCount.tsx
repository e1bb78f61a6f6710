import type { WireUserCount } from '@chainboard/contract'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { fetchJson } from '../../lib/fetchJson.ts'
import { userCountUrl } from '../../lib/urls.ts'

const staleMs = 5 * 60_000

/** How it is asked for. */
export const userCountOptions = queryOptions({
  queryKey: ['userCount'],
  queryFn: ({ signal }): Promise<WireUserCount> => fetchJson(userCountUrl, signal),
  staleTime: staleMs,
  refetchInterval: staleMs,
})

/** `1,204 registered users`; an empty place of about that width until it is known. */
export function UserCount() {
  const { data } = useQuery(userCountOptions)
  const count = data?.totalUsers
  return (
    <span className="figures min-h-5 min-w-36">
      {count !== undefined && `${count.toLocaleString('en-US')} registered ${count === 1 ? 'user' : 'users'}`}
    </span>
  )
}

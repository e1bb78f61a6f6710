import type { WireSecurity } from '@chainboard/contract'
import { useQuery } from '@tanstack/react-query'
import { fetchJson } from '../../lib/fetchJson.ts'
import { securityUrl } from '../../lib/securityUrls.ts'

/** Of what is kept of an account's devices and notices. */
export const securityKey = (username: string) => ['security', username]

/** Where the user is logged in, and what happened to the account. */
export function useSecurity(username: string) {
  return useQuery({
    queryKey: securityKey(username),
    queryFn: ({ signal }): Promise<WireSecurity> => fetchJson(securityUrl(username), signal),
  })
}

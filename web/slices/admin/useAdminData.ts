import type { WireAdminAct, WireApiKey, WireKeyStats, WireOperatorSession, WireSiteState } from '@chainboard/contract'
import { useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query'
import { adminUrls } from '../../lib/adminUrls.ts'
import type { AdminSession } from './adminSession.ts'
import { callAdmin } from './callAdmin.ts'

const refreshMs = 30_000
const stateMs = 10_000

/** Keys, figures and acts belong to one login: another one begins with none. */
const keyOf = (session: AdminSession, what: string) => ['admin', session.id, what] as const

/** All keys, every 30 s. */
export function useAdminKeys(session: AdminSession) {
  return useQuery({
    queryKey: keyOf(session, 'keys'),
    queryFn: async (): Promise<readonly WireApiKey[]> =>
      (await callAdmin<{ keys: readonly WireApiKey[] }>(session, adminUrls.list)).keys,
    refetchInterval: refreshMs,
  })
}

/** Figures of all keys, every 30 s. */
export function useAdminStats(session: AdminSession) {
  return useQuery({
    queryKey: keyOf(session, 'stats'),
    queryFn: async (): Promise<WireKeyStats> => (await callAdmin<{ stats: WireKeyStats }>(session, adminUrls.stats)).stats,
    refetchInterval: refreshMs,
  })
}

/** How the site does, every 10 s. */
export function useSiteState(session: AdminSession) {
  return useQuery({
    queryKey: keyOf(session, 'state'),
    queryFn: async (): Promise<WireSiteState> => (await callAdmin<{ state: WireSiteState }>(session, adminUrls.state)).state,
    staleTime: 0,
    refetchInterval: stateMs,
  })
}

/** Who is logged in, as far as this operator may know, every 30 s. */
export function useOperatorSessions(session: AdminSession) {
  return useQuery({
    queryKey: keyOf(session, 'sessions'),
    queryFn: async (): Promise<readonly WireOperatorSession[]> =>
      (await callAdmin<{ sessions: readonly WireOperatorSession[] }>(session, adminUrls.sessions)).sessions,
    refetchInterval: refreshMs,
  })
}

type ActPage = { readonly acts: readonly WireAdminAct[]; readonly next: string | null }

/** What operators did, newest first, a page at a time. */
export function useAdminActs(session: AdminSession) {
  return useInfiniteQuery({
    queryKey: keyOf(session, 'acts'),
    queryFn: ({ pageParam }): Promise<ActPage> =>
      callAdmin(session, adminUrls.acts, pageParam === null ? {} : { before: pageParam }),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next,
    select: ({ pages }) => ({ acts: pages.flatMap(({ acts }) => acts) }),
    refetchInterval: false,
  })
}

/** Asks for everything anew, after something was changed. */
export function useAdminRefresh(session: AdminSession): () => Promise<void> {
  const client = useQueryClient()
  return () => client.invalidateQueries({ queryKey: ['admin', session.id] })
}

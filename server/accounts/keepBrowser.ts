import { keepDevice, listBrowserOwners } from '../store/devices.ts'
import type { Tx } from '../store/store.ts'
import type { User } from '../store/users.ts'
import { browserSeconds } from './lifetimes.ts'
import { hashToken, makeToken } from './secretTokens.ts'

/** Users of one browser that are known in it, those who signed in last. */
export const browserTokensMax = 4

/**
 * Remembers the browser as one of a user's. A token belongs to one user, so a copy of it says nothing about
 * users who log in there later.
 * @param at `keep`: browsers that are remembered of the user
 * @returns what the browser is to hold, the user's own token first; and whether the user was never in it before
 */
export async function keepBrowser(
  tx: Tx,
  user: User,
  tokens: readonly string[],
  at: { seconds: number; keep: number; name: string },
): Promise<{ readonly tokens: string[]; readonly isNew: boolean }> {
  const owners = await listBrowserOwners(tx, tokens.map(hashToken), at.seconds - browserSeconds)
  const known = tokens.filter((token) => owners.has(hashToken(token)))
  const before = known.find((token) => owners.get(hashToken(token)) === user.id)
  const own = before ?? makeToken()
  await keepDevice(tx, { userId: user.id, kind: 'browser', hash: hashToken(own), name: at.name }, at)
  const others = known.filter((token) => owners.get(hashToken(token)) !== user.id)
  return { tokens: [own, ...new Set(others)].slice(0, browserTokensMax), isNew: before === undefined }
}

import type { Address } from '@chainboard/core'
import { createAccountWriter } from '../../server/testing/accountWriter.ts'
import { createKeyOwners } from './keyOwners.ts'
import { createQuotaReaders } from './quotaReaders.ts'

const writers = 6

/** All that write to one server. */
export type Clients = {
  /** Looks for what was acknowledged; `all` of the free keys, not only the newest. What is missing is in `sums().lost`. */
  check(url: string, all?: boolean): Promise<void>
  /** Writes and asks until the server is gone. @throws Error when it refuses */
  write(url: string): Promise<unknown>
  /** Changes that were acknowledged so far. */
  acknowledged(): number
  sums(): {
    readonly acknowledged: number
    /** What was acknowledged, but missing after a start, in words. */
    readonly lost: readonly string[]
    /** Requests that were answered with a key's permit. */
    readonly answered: number
    /** Those beyond a key's day. */
    readonly overAdmitted: number
  }
}

/** Users, owners of free keys and readers with a key, of one server. @param random from 0 to 1 */
export function openClients(tokens: readonly Address[], random: () => number): Clients {
  const users = Array.from({ length: writers }, (_, i) => createAccountWriter(String(i), tokens, random))
  const [owners, readers] = [createKeyOwners(random), createQuotaReaders()]
  const lost: string[] = []
  const look = (work: Promise<void>) => work.catch((error: Error) => void lost.push(error.message))
  const acknowledged = () =>
    users.reduce((sum, user) => sum + user.acknowledged(), owners.acknowledged() + readers.acknowledged())
  return {
    check: async (url: string, all = false) => {
      await Promise.all([...users.map((user) => look(user.check(url))), look(owners.check(url, all)), readers.check(url)])
    },
    write: (url: string) =>
      Promise.all([...users.map((user) => user.writeUntilGone(url)), owners.writeUntilGone(url), readers.readUntilGone(url)]),
    acknowledged,
    sums: () => ({
      acknowledged: acknowledged(),
      lost,
      answered: readers.answered(),
      overAdmitted: readers.overAdmitted(),
    }),
  }
}

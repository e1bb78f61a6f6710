import type { Address } from '@chainboard/core'
import type { AccountParts } from '../../accounts/accountParts.ts'
import { addFavorite, removeFavorite } from '../../accounts/userLists.ts'
import { dayNumber } from '../../keys/dayNumber.ts'
import { createPermitBatches } from '../../keys/permitBatches.ts'
import type { LedgerClock } from '../../keys/permitWaits.ts'
import { createQuotaLedger, type QuotaLedger } from '../../keys/quotaLedger.ts'
import { changeTotals } from '../../store/accountTotals.ts'
import { changeQuotas } from '../../store/quotas.ts'
import type { Store } from '../../store/store.ts'
import { listUserAddresses } from '../../store/userAddresses.ts'
import { insertUser, type User } from '../../store/users.ts'
import { addressOf } from './modelLogs.ts'
import type { Stage } from './runStory.ts'
import type { Life, Site } from './site.ts'

/** Few permits, so that a story of minutes comes to the end of a day's. */
const limit = 40
const tokens = Array.from({ length: 6 }, (_, i) => addressOf(`favourite ${i}`) as Address)

/** `unknown`: a change was asked for, and nobody said whether it was made. */
type Listed = 'there' | 'not there' | 'unknown'

/** Users who change their lists and spend permits of keys all the while; everything that they were told is remembered. */
export function createClients(stage: Stage, site: Site) {
  const { clock, story, random, note, fail } = stage
  const ledgers = new WeakMap<Life, QuotaLedger>()
  const lists = new Map<string, Listed>()
  const registered = new Set<string>()
  const spent = new Map<string, number>()
  const busy = new Set<number>()
  let going = true

  const register = async ({ store }: Life, user: User) => {
    await store.write(async (tx) => {
      if (await insertUser(tx, user)) await changeTotals(tx, { users: 1 })
    })
    registered.add(user.id)
    note('client: registered')
  }
  const favor = async ({ store }: Life, user: User, token: Address) => {
    const key = `${user.id} ${token}`
    const before = lists.get(key) ?? 'not there'
    lists.set(key, 'unknown')
    const parts = { store } as AccountParts
    const add = before === 'not there'
    await (add ? addFavorite(parts, user, token) : removeFavorite(parts, user, token))
    lists.set(key, add ? 'there' : 'not there')
    note(`client: ${add ? 'added' : 'removed'}`)
  }
  const spend = async (life: Life, client: number) => {
    const ledger = ledgers.get(life) ?? openLedger(life.store, clock)
    ledgers.set(life, ledger)
    const key = `key-${client % 2}`
    const left = await ledger.spend({ id: key, kind: 'key', limit }, clock.nowMs())
    if (left === undefined) return note('client: over quota')
    // Asked for before midnight and given after it: one of the new day.
    const day = dayNumber(clock.nowMs() / 1000)
    const count = (spent.get(`${key} ${day}`) ?? 0) + 1
    spent.set(`${key} ${day}`, count)
    note('client: spent a permit')
    if (count > limit) fail({ property: 'no key gets more than its day has', detail: `${key} spent ${count} of ${limit}` })
  }
  const run = (client: number) => {
    const draw = random.fork(`client ${client}`)
    const user = { id: `user-${client}`, key: `user-${client}`, username: `user-${client}`, pinHash: 'none', createdAtSeconds: 0 }
    const next = () => {
      clock.after(draw.int(1, 2 * story.clientMs), () => {
        if (!going) return
        const life = site.life()
        const [token, spends] = [draw.pick(tokens), draw.chance(0.5)]
        if (life && !busy.has(client)) {
          busy.add(client)
          const act = spends ? spend(life, client) : registered.has(user.id) ? favor(life, user, token) : register(life, user)
          act.catch(() => note('client: refused')).finally(() => busy.delete(client))
          // A call that died with its process is never answered.
          if (life.gone) busy.delete(client)
          clock.after(10_000, () => busy.delete(client))
        }
        next()
      })
    }
    next()
  }
  return {
    start: () => {
      for (let client = 0; client < story.clients; client += 1) run(client)
    },
    stop: () => {
      going = false
    },
    /** Whether everything that was acknowledged is there. */
    check: async () => {
      const life = site.life()
      if (!life) return
      for (const [key, wanted] of lists) {
        const [user = '', token = ''] = key.split(' ')
        if (wanted === 'unknown') continue
        const listed = await settle(stage, listUserAddresses(life.store.read, 'favorites', user))
        if (listed.includes(token as Address) !== (wanted === 'there'))
          return fail({ property: 'an acknowledged write is kept', detail: `favourite ${token} of ${user} should be ${wanted}` })
      }
    },
  }
}

function openLedger(store: Store, clock: LedgerClock): QuotaLedger {
  const save = createPermitBatches(({ returns, takes }) =>
    store.write(async (tx) => {
      await changeQuotas(tx, returns)
      return changeQuotas(tx, takes)
    }),
  )
  return createQuotaLedger(save, clock)
}

/** Waits for what needs the clock to go on. */
export async function settle<T>({ clock }: Pick<Stage, 'clock'>, work: Promise<T>): Promise<T> {
  let done = false
  const watched = work.finally(() => {
    done = true
  })
  watched.catch(() => undefined)
  await clock.runTo(clock.nowMs() + 600_000, () => done)
  return watched
}

import { findApiKey, readKeyChanges, saveLastUsed } from '../store/apiKeys.ts'
import { deleteOldKeyDeletions } from '../store/keyDeletions.ts'
import { changeQuotas, deleteQuotasBefore } from '../store/quotas.ts'
import { deleteOldMessages } from '../store/spentMessages.ts'
import type { Store } from '../store/store.ts'
import { createKeyGate } from './createKeyGate.ts'
import { dayNumber } from './dayNumber.ts'
import { createEndings, type Endings } from './endings.ts'
import type { KeyGate } from './keyGate.ts'
import { createKeyIndex, type KeyIndex } from './keyIndex.ts'
import { createPermitBatches } from './permitBatches.ts'
import { createQuotaLedger, type QuotaLedger } from './quotaLedger.ts'

/** How often uses of keys are written down. */
const lastUsedEverySeconds = 60
/** Rows that one transaction removes, so that it holds nobody up; and transactions of one sweep. */
const rowsPerSweep = 500
const roundsMax = 200

export type KeyParts = {
  readonly store: Store
  /** A hash of an address that nobody can turn back without a secret: 64 hexadecimal digits. */
  readonly hashClient: (client: string) => string
  readonly nowMs: () => number
}

/** Keys and quotas over one store, in memory as far as requests go. */
export type KeyService = {
  readonly gate: KeyGate
  readonly index: KeyIndex
  readonly ledger: QuotaLedger
  readonly endings: Endings
  /** When a key was last used, as far as the database does not have it yet. Unix seconds. */
  lastUse(id: string): number | undefined
  /** To be called every second: other servers' changes, keys that expire, uses to write down. */
  tick(): Promise<void>
  /** Removes what is over: days, used messages, deletions that found no second owner. */
  sweep(): Promise<void>
  /** Puts unspent permits back. Nothing may be spent after it. */
  stop(): Promise<void>
}

/** The parts of keys over one store. Nothing is read until a key is asked for. */
export function createKeyService({ store, hashClient, nowMs }: KeyParts): KeyService {
  const nowSeconds = () => nowMs() / 1000
  const index = createKeyIndex((by) => findApiKey(store.read, by))
  const endings = createEndings(index.findById, nowSeconds)
  const ledger = createQuotaLedger(
    createPermitBatches(({ returns, takes }) =>
      store.write(async (tx) => {
        await changeQuotas(tx, returns)
        return changeQuotas(tx, takes)
      }),
    ),
    { nowMs, after: (ms, work) => void setTimeout(work, ms).unref() },
  )
  let uses = new Map<string, number>()
  let savedAtSeconds = nowSeconds()
  let changesSeen: number | undefined

  const saveUses = async () => {
    savedAtSeconds = nowSeconds()
    if (uses.size === 0) return
    const saving = uses
    uses = new Map()
    try {
      await store.write((tx) => saveLastUsed(tx, saving))
    } catch (error) {
      uses = new Map([...saving, ...uses])
      throw error
    }
  }
  const noticeChanges = async () => {
    const changes = await readKeyChanges(store.read)
    if (changes === changesSeen) return
    changesSeen = changes
    index.forgetAll()
    await endings.checkAll()
  }
  return {
    gate: createKeyGate({
      index,
      ledger,
      endings,
      hashClient,
      onUse: (id, seconds) => uses.set(id, Math.floor(seconds)),
      nowMs,
    }),
    index,
    ledger,
    endings,
    lastUse: (id) => uses.get(id),
    tick: async () => {
      endings.endExpired()
      await noticeChanges()
      await endings.checkUnsure()
      if (nowSeconds() - savedAtSeconds >= lastUsedEverySeconds) await saveUses()
    },
    sweep: async () => {
      await store.write((tx) => deleteOldMessages(tx, Math.floor(nowSeconds())))
      await store.write((tx) => deleteOldKeyDeletions(tx, Math.floor(nowSeconds())))
      // Yesterday stays for servers whose clocks are behind.
      const yesterday = dayNumber(nowSeconds()) - 1
      for (let round = 0; round < roundsMax; round += 1) {
        if ((await store.write((tx) => deleteQuotasBefore(tx, yesterday, rowsPerSweep))) < rowsPerSweep) return
      }
    },
    stop: async () => {
      // Unspent permits go back whether or not the uses could be written.
      await Promise.all([ledger.stop(), saveUses()])
    },
  }
}

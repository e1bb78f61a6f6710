import type { Migration } from 'kysely/migration'
import type { Store } from '../store.ts'
import { createIndexTables } from './0001-index-tables.ts'
import { addDollarsAndTokens } from './0002-dollars-and-tokens.ts'
import { createCreditsTable } from './0003-credits.ts'
import { createAccountTables } from './0004-accounts.ts'
import { createKeyTables } from './0005-keys.ts'
import { createBoostTables } from './0006-boosts.ts'
import { makeBrowsersOwn } from './0007-own-browsers.ts'
import { createAsideTable } from './0008-aside-indexes.ts'
import { addWitness } from './0009-witness.ts'
import { addExecutableDepth } from './0010-executable-depth.ts'
import { addPriceWindows } from './0011-price-windows.ts'
import { createOriginsTable } from './0012-origins.ts'
import { addOldDollars } from './0013-old-dollars.ts'
import { addLeastTrust } from './0014-least-trust.ts'
import { addIndexScope } from './0015-index-scope.ts'
import { addStableWorth } from './0016-stable-worth.ts'
import { markHeldDepth } from './0017-held-depth.ts'
import { addConfirmedTokens } from './0018-confirmed-tokens.ts'
import { markDepthInMotion } from './0019-depth-in-motion.ts'
import { markAgreeingDepth } from './0020-depth-that-agrees.ts'
import { addKeptSince } from './0021-kept-since.ts'
import { makeRowsSmaller } from './0022-smaller-rows.ts'
import { makeHoursLeaner } from './0023-leaner-hours.ts'
import { markPoolsOfTheHour } from './0024-pools-of-the-hour.ts'
import { addSeveralServers } from './0025-several-servers.ts'
import { addSleepingKeys } from './0026-free-keys-sleep.ts'
import { addAccountCare } from './0027-account-care.ts'
import { createSignInMethodTables } from './0028-sign-in-methods.ts'
import { addOperators } from './0029-operators.ts'
import { addTradesOfWallets } from './0030-trades-of-wallets.ts'

/** Every migration, in order. A landed one is never edited: the next one mends it. */
export function migrationsFor(engine: Store['engine']): Record<string, Migration> {
  return {
    '0001-index-tables': createIndexTables(engine),
    '0002-dollars-and-tokens': addDollarsAndTokens(engine),
    '0003-credits': createCreditsTable(engine),
    '0004-accounts': createAccountTables(engine),
    '0005-keys': createKeyTables(engine),
    '0006-boosts': createBoostTables(engine),
    '0007-own-browsers': makeBrowsersOwn(),
    '0008-aside-indexes': createAsideTable(engine),
    '0009-witness': addWitness(engine),
    '0010-executable-depth': addExecutableDepth(engine),
    '0011-price-windows': addPriceWindows(engine),
    '0012-origins': createOriginsTable(engine),
    '0013-old-dollars': addOldDollars(engine),
    '0014-least-trust': addLeastTrust(),
    '0015-index-scope': addIndexScope(),
    '0016-stable-worth': addStableWorth(),
    '0017-held-depth': markHeldDepth(),
    '0018-confirmed-tokens': addConfirmedTokens(),
    '0019-depth-in-motion': markDepthInMotion(),
    '0020-depth-that-agrees': markAgreeingDepth(),
    '0021-kept-since': addKeptSince(engine),
    '0022-smaller-rows': makeRowsSmaller(engine),
    '0023-leaner-hours': makeHoursLeaner(engine),
    '0024-pools-of-the-hour': markPoolsOfTheHour(),
    '0025-several-servers': addSeveralServers(engine),
    '0026-free-keys-sleep': addSleepingKeys(engine),
    '0027-account-care': addAccountCare(engine),
    '0028-sign-in-methods': createSignInMethodTables(engine),
    '0029-operators': addOperators(engine),
    '0030-trades-of-wallets': addTradesOfWallets(engine),
  }
}

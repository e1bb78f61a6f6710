import { toNameSkeleton } from '@chainboard/core'
import { deleteAccountNoticesOf } from '../store/accountNotices.ts'
import { changeTotals } from '../store/accountTotals.ts'
import { deleteDevicesOf } from '../store/devices.ts'
import { changeFavoriteCounts } from '../store/favoriteCounts.ts'
import { changeNameSkeleton } from '../store/nameSkeletons.ts'
import { deletePasskeysOf } from '../store/passkeys.ts'
import { deleteRecoveryCodesOf } from '../store/recoveryCodes.ts'
import { changeRegistrations } from '../store/registrationDays.ts'
import { deleteSessionsOf } from '../store/sessions.ts'
import { deleteSignInCodesOf } from '../store/signInCodes.ts'
import { deleteSignInWalletsOf } from '../store/signInWallets.ts'
import { deleteUserAddresses, listUserAddresses } from '../store/userAddresses.ts'
import { deleteUser } from '../store/users.ts'
import type { AccountParts } from './accountParts.ts'
import { dayOf } from './dayOf.ts'
import { changeUser, type PinAct, provePin } from './pinAct.ts'

/** Everything of the account goes, and its name is free again; failed PINs stay with the name. @throws Failure as `provePin` does */
export async function deleteAccount(parts: AccountParts, act: PinAct): Promise<void> {
  await provePin(parts, act)
  const { id, username, createdAtSeconds } = act.user
  await changeUser(parts, act.user, async (tx) => {
    const wallets = await listUserAddresses(tx, 'user_wallets', id)
    const favorites = await listUserAddresses(tx, 'favorites', id)
    await deleteUserAddresses(tx, 'user_wallets', id)
    await deleteUserAddresses(tx, 'favorites', id)
    await deleteSessionsOf(tx, id)
    await deleteSignInCodesOf(tx, id)
    await deleteDevicesOf(tx, id)
    await deleteRecoveryCodesOf(tx, id)
    await deleteAccountNoticesOf(tx, id)
    await deletePasskeysOf(tx, id)
    await deleteSignInWalletsOf(tx, id)
    await deleteUser(tx, id)
    await changeNameSkeleton(tx, toNameSkeleton(username), -1)
    await changeFavoriteCounts(tx, favorites, -1)
    await changeRegistrations(tx, dayOf(createdAtSeconds), -1)
    await changeTotals(tx, {
      users: -1,
      usersWithWallets: wallets.length > 0 ? -1 : 0,
      usersWithFavorites: favorites.length > 0 ? -1 : 0,
      wallets: -wallets.length,
      favorites: -favorites.length,
    })
  })
}

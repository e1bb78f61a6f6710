import { type Address, Failure } from '@chainboard/core'
import { changeTotals } from '../store/accountTotals.ts'
import { changeFavoriteCounts } from '../store/favoriteCounts.ts'
import type { Tx } from '../store/store.ts'
import { deleteUserAddress, insertUserAddress, listUserAddresses } from '../store/userAddresses.ts'
import type { User } from '../store/users.ts'
import type { AccountParts } from './accountParts.ts'
import { changeUser, type PinAct, provePin } from './pinAct.ts'

const walletsMax = 50
const favoritesMax = 500

/** @throws Failure `conflict` when the wallet is there already or the list is full, and as `provePin` does */
export async function addWallet(parts: AccountParts, act: PinAct, address: Address): Promise<void> {
  await provePin(parts, act)
  await changeUser(parts, act.user, async (tx) => {
    const before = await listUserAddresses(tx, 'user_wallets', act.user.id)
    if (before.includes(address)) throw new Failure('conflict', 'Wallet is already added')
    if (before.length >= walletsMax) throw new Failure('conflict', `You can add up to ${walletsMax} wallets`)
    await insertUserAddress(tx, 'user_wallets', act.user.id, address)
    await changeTotals(tx, { wallets: 1, usersWithWallets: before.length === 0 ? 1 : 0 })
  })
}

/** @throws Failure `not-found` when the wallet is not there, and as `provePin` does */
export async function removeWallet(parts: AccountParts, act: PinAct, address: Address): Promise<void> {
  await provePin(parts, act)
  await changeUser(parts, act.user, async (tx) => {
    if (!(await deleteUserAddress(tx, 'user_wallets', act.user.id, address)))
      throw new Failure('not-found', `Wallet ${address} is not in your list`)
    const left = await listUserAddresses(tx, 'user_wallets', act.user.id)
    await changeTotals(tx, { wallets: -1, usersWithWallets: left.length === 0 ? -1 : 0 })
  })
}

/** @returns the list after it. @throws Failure `conflict` when the token is there already or the list is full */
export function addFavorite(parts: AccountParts, user: User, token: Address): Promise<Address[]> {
  return changeUser(parts, user, async (tx) => {
    const before = await listUserAddresses(tx, 'favorites', user.id)
    if (before.includes(token)) throw new Failure('conflict', 'Token is already in your favorites')
    if (before.length >= favoritesMax) throw new Failure('conflict', `You can add up to ${favoritesMax} tokens`)
    await insertUserAddress(tx, 'favorites', user.id, token)
    await countFavorite(tx, token, { by: 1, users: before.length === 0 ? 1 : 0 })
    return [...before, token]
  })
}

/** What is not in the list stays out of it. @returns the list after it */
export function removeFavorite(parts: AccountParts, user: User, token: Address): Promise<Address[]> {
  return changeUser(parts, user, async (tx) => {
    const removed = await deleteUserAddress(tx, 'favorites', user.id, token)
    const left = await listUserAddresses(tx, 'favorites', user.id)
    if (removed) await countFavorite(tx, token, { by: -1, users: left.length === 0 ? -1 : 0 })
    return left
  })
}

async function countFavorite(tx: Tx, token: Address, { by, users }: { by: 1 | -1; users: number }): Promise<void> {
  await changeFavoriteCounts(tx, [token], by)
  await changeTotals(tx, { favorites: by, usersWithFavorites: users })
}

import type { Address } from '@chainboard/core'
import { deleteSession, findSessionUser } from '../store/sessions.ts'
import { listUserAddresses } from '../store/userAddresses.ts'
import type { User } from '../store/users.ts'
import type { AccountParts } from './accountParts.ts'
import { changePin, type PinChange } from './changePin.ts'
import { deleteAccount } from './deleteAccount.ts'
import { keepDashboard } from './keepDashboard.ts'
import { type MadeCode, makeCode } from './makeCode.ts'
import type { SignedIn } from './openSession.ts'
import { type PinAct, provePin } from './pinAct.ts'
import { type Dashboard, readDashboard } from './readDashboard.ts'
import { makeRecoveryCodes, type Recovery, recoverAccount } from './recoverAccount.ts'
import { hashToken } from './secretTokens.ts'
import { dismissNotice, endOtherPlaces, endPlace, type OwnSession, readSecurity, type Security } from './signedInPlaces.ts'
import { register, signIn } from './signIn.ts'
import { addFavorite, addWallet, removeFavorite, removeWallet } from './userLists.ts'
import type { Visitor } from './visitor.ts'

export type { User } from '../store/users.ts'

/** Everything that can be asked of accounts. Failures: a `Failure` whose message is meant for the one who asked. */
export type Accounts = {
  register(form: { username: unknown; pin: unknown; visitor: Visitor }): Promise<SignedIn>
  signIn(form: { name: string; pin: unknown; code: string | undefined; visitor: Visitor }): Promise<SignedIn>
  /** Whose session it is; undefined without one, and for one that ended, was made up, or belongs to an account that is gone. */
  findUser(sessionToken: string | undefined): Promise<User | undefined>
  signOut(sessionToken: string): Promise<void>
  listWallets(user: User): Promise<Address[]>
  addWallet(act: PinAct, address: Address): Promise<void>
  removeWallet(act: PinAct, address: Address): Promise<void>
  listFavorites(user: User): Promise<Address[]>
  addFavorite(user: User, token: Address): Promise<Address[]>
  removeFavorite(user: User, token: Address): Promise<Address[]>
  makeSignInCode(act: PinAct): Promise<MadeCode>
  changePin(change: PinChange): Promise<void>
  makeRecoveryCodes(act: PinAct): Promise<string[]>
  recover(recovery: Recovery): Promise<SignedIn>
  readSecurity(own: OwnSession): Promise<Security>
  endPlace(own: OwnSession, id: string): Promise<void>
  endOtherPlaces(own: OwnSession): Promise<void>
  dismissNotice(own: OwnSession, id: string): Promise<void>
  delete(act: PinAct): Promise<void>
  dashboard(): Promise<Dashboard>
}

/** The functions of accounts over one store; what changes the figures makes the next dashboard a new one. */
export function createAccounts(parts: AccountParts): Accounts {
  const { store, nowSeconds } = parts
  const dashboard = keepDashboard(() => readDashboard(store, nowSeconds()), nowSeconds)
  const counted = async <T>(change: Promise<T>): Promise<T> => {
    const result = await change
    dashboard.forget()
    return result
  }
  return {
    register: (form) => counted(register(parts, form)),
    signIn: (form) => signIn(parts, form),
    findUser: async (token) => (token ? findSessionUser(store.read, hashToken(token), nowSeconds()) : undefined),
    signOut: (token) => store.write((tx) => deleteSession(tx, hashToken(token))),
    listWallets: ({ id }) => listUserAddresses(store.read, 'user_wallets', id),
    addWallet: (act, address) => counted(addWallet(parts, act, address)),
    removeWallet: (act, address) => counted(removeWallet(parts, act, address)),
    listFavorites: ({ id }) => listUserAddresses(store.read, 'favorites', id),
    addFavorite: (user, token) => counted(addFavorite(parts, user, token)),
    removeFavorite: (user, token) => counted(removeFavorite(parts, user, token)),
    makeSignInCode: async (act) => {
      await provePin(parts, act)
      return makeCode(parts, act.user)
    },
    changePin: (change) => changePin(parts, change),
    makeRecoveryCodes: (act) => makeRecoveryCodes(parts, act),
    recover: (recovery) => recoverAccount(parts, recovery),
    readSecurity: (own) => readSecurity(parts, own),
    endPlace: (own, id) => endPlace(parts, own, id),
    endOtherPlaces: (own) => endOtherPlaces(parts, own),
    dismissNotice: (own, id) => dismissNotice(parts, own, id),
    delete: (act) => counted(deleteAccount(parts, act)),
    dashboard: dashboard.current,
  }
}

import { Failure } from '@chainboard/core'
import { insertUser } from '../store/users.ts'
import { at, type TestAccounts } from './testAccounts.ts'

export const home = at('198.51.100.1')
/** An address nobody has come from, each time another. */
export const stranger = (i: number) => at(`203.0.113.${i}`)

export const wait30 = 'Too many attempts. Try again in 30 s.'
/** No wait ends it: somebody guesses. */
export const closed =
  'Too many wrong PINs. Use a passkey, linked wallet, recovery code or sign-in code, or a browser or network you have logged in from before.'
/** The same for whom something speaks for. */
export const closedHere =
  'Too many wrong PINs. Use a passkey, linked wallet, recovery code or sign-in code, or another browser or network you have logged in from before.'

/** `in`, or the error's text. */
export async function outcome(act: Promise<unknown>): Promise<string> {
  try {
    await act
    return 'in'
  } catch (error) {
    if (error instanceof Failure) return error.message
    throw error
  }
}

export const tryPin = (accounts: TestAccounts, name: string, pin: string, visitor = stranger(1), code?: string) =>
  outcome(accounts.signIn({ name, pin, code, visitor }))

/** Strangers, each from an address of its own, try until none of them may any more. */
export async function closeToStrangers(accounts: TestAccounts, name = 'owner', first = 1_000): Promise<string[]> {
  const answers: string[] = []
  for (let i = 0; i <= 21; i += 1) {
    answers.push(await tryPin(accounts, name, `84${String(i).padStart(2, '0')}`, stranger(first + i)))
    // The 21st has to wait, the 22nd is one too many.
    accounts.clock.seconds += i < 20 ? 61 : 3_600
  }
  return answers
}

/** Somebody who registered when every PIN was let in. */
export const addEarlyUser = (accounts: TestAccounts, username: string, pin: string) =>
  accounts.parts.store.write((tx) =>
    insertUser(tx, {
      id: `early-${username}`,
      key: username,
      username,
      pinHash: `cheap:${pin}`,
      createdAtSeconds: 1_600_000_000,
    }),
  )

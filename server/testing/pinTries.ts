import { Failure } from '@chainboard/core'
import { at, type TestAccounts } from './testAccounts.ts'

export const home = at('198.51.100.1')
/** An address nobody has come from, each time another. */
export const stranger = (i: number) => at(`203.0.113.${i}`)

export const wait30 = 'Too many attempts. Try again in 30 s.'
export const waitDays =
  'Too many attempts. Try again in 6 days, from a network you have signed in from before, or with a sign-in code.'

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

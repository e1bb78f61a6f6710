import { Failure } from '@chainboard/core'
import type { Visitor } from '../../server/accounts/visitor.ts'
import { nameOf, type SimWorld } from './simWorld.ts'

/** How often owners got in at their first try of a day, by where they came from. */
export type OwnerDays = Readonly<Record<'browser' | 'network' | 'code' | 'nothing', number>> & { readonly tried: number }

/** Owners of attacked accounts who signed in before the attack, and again on each of its days. */
export async function followOwners({ accounts, pins }: SimWorld, owners: readonly number[]) {
  const got = { browser: 0, network: 0, code: 0, nothing: 0, tried: 0 }
  const home = (owner: number): Visitor => ({ client: `home-${owner}`, sessionToken: undefined, browserTokens: [] })
  const signIn = (owner: number, visitor: Visitor, code?: string) =>
    accounts.signIn({ name: nameOf(owner), pin: pins[owner], code, visitor })
  const isLetIn = async (owner: number, visitor: Visitor, code?: string) => {
    try {
      await signIn(owner, visitor, code)
      return 1
    } catch (error) {
      if (error instanceof Failure && error.code === 'too-many-attempts') return 0
      throw error
    }
  }
  const browsers = new Map<number, readonly string[]>()
  for (const owner of owners) browsers.set(owner, (await signIn(owner, home(owner))).browserTokens)

  return {
    got,
    tryAll: async (day: number) => {
      for (const owner of owners) {
        const away = (what: string): Visitor => ({ ...home(owner), client: `away-${owner}-${day}-${what}` })
        const browserTokens = browsers.get(owner) ?? []
        got.tried += 1
        got.browser += await isLetIn(owner, { ...away('browser'), browserTokens })
        got.network += await isLetIn(owner, home(owner))
        got.nothing += await isLetIn(owner, away('nothing'))
        const { user } = await signIn(owner, { ...away('maker'), browserTokens })
        const { code } = await accounts.makeSignInCode({ user, pin: pins[owner], visitor: { ...away('maker'), browserTokens } })
        got.code += await isLetIn(owner, away('code'), code)
      }
    },
  }
}

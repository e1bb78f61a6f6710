import { listPasskeys, type Passkey } from '../../store/passkeys.ts'
import { listSignInWallets, type SignInWallet } from '../../store/signInWallets.ts'
import type { User } from '../../store/users.ts'
import type { SignedIn } from '../openSession.ts'
import { type CreationOptions, makeCreationOptions, makeRequestOptions, type RequestOptions } from '../passkeys/passkeyOptions.ts'
import { makeToken } from '../secretTokens.ts'
import { makeSiweMessage, type SiweAnswer } from '../wallets/judgeSiwe.ts'
import type { Caller } from './caller.ts'
import type { ChallengePurpose } from './challenge.ts'
import { linkPasskey, linkWallet, type MethodName, removeMethod, resetPin } from './changeMethods.ts'
import type { MethodParts } from './methodParts.ts'
import { proveOwner } from './proveOwner.ts'
import { signInByPasskey, signInByWallet } from './signInBy.ts'

/** A change that a linked passkey or wallet may confirm. */
export type Confirmation = Extract<ChallengePurpose, `confirm-${string}`>

/** What is to be signed, and what the browser's cookie is to hold until it is. */
export type Given<T> = { readonly asked: T; readonly challengeToken: string }

/** Who is signed in, and what came to prove that it is the owner. */
type Act = { readonly user: User; readonly caller: Caller; readonly proof: unknown }

/** Ways to sign in beside the PIN: passkeys and wallets. Failures: a `Failure` whose message is meant for the one who asked. */
export type SignInMethods = {
  askPasskey(caller: Caller): Promise<Given<RequestOptions>>
  /** @param walletAddress of the wallet that will sign */
  askWallet(caller: Caller, walletAddress: unknown): Promise<Given<string>>
  signInByPasskey(caller: Caller, response: unknown): Promise<SignedIn>
  signInByWallet(caller: Caller, answer: SiweAnswer): Promise<SignedIn>
  list(user: User): Promise<{ readonly passkeys: Passkey[]; readonly wallets: SignInWallet[] }>
  /** For a passkey that is linked to confirm a change with. */
  askPasskeyToConfirm(act: Omit<Act, 'proof'>, purpose: Confirmation): Promise<Given<RequestOptions>>
  askWalletToConfirm(act: Omit<Act, 'proof'>, purpose: Confirmation, walletAddress: unknown): Promise<Given<string>>
  askPasskeyToLink(act: Act): Promise<Given<CreationOptions>>
  askWalletToLink(act: Act, walletAddress: unknown): Promise<Given<string>>
  linkPasskey(act: Omit<Act, 'proof'> & { readonly response: unknown; readonly name: unknown }): Promise<void>
  linkWallet(act: Omit<Act, 'proof'> & { readonly answer: SiweAnswer; readonly name: unknown }): Promise<void>
  remove(act: Act, name: MethodName): Promise<void>
  /** @param wallet in lower case */
  resetPin(act: Act, pin: unknown): Promise<SignedIn>
}

/** The functions of sign-in methods over one store. */
export function createSignInMethods(parts: MethodParts): SignInMethods {
  /** A browser keeps its token while it has several challenges open. */
  const give = async <T>(
    caller: Caller,
    make: (caller: Required<Caller> & { challengeToken: string }) => T | Promise<T>,
  ): Promise<Given<T>> => {
    const challengeToken = caller.challengeToken ?? makeToken()
    return { asked: await make({ ...caller, challengeToken }), challengeToken }
  }
  const prove = async ({ user, caller, proof }: Act): Promise<void> => {
    const settle = await proveOwner(parts, { user, caller, proof, purpose: 'confirm-link' })
    await parts.store.write(settle)
  }
  return {
    askPasskey: (caller) =>
      give(caller, ({ party, challengeToken }) =>
        makeRequestOptions(parts, { kind: 'passkey', purpose: 'sign-in', userId: undefined, party, challengeToken }),
      ),
    askWallet: (caller, walletAddress) =>
      give(caller, ({ party, challengeToken }) =>
        makeSiweMessage(parts, walletAddress, { purpose: 'sign-in', user: undefined, party, challengeToken }),
      ),
    signInByPasskey: (caller, response) => signInByPasskey(parts, response, caller),
    signInByWallet: (caller, answer) => signInByWallet(parts, answer, caller),
    list: async ({ id }) => ({
      passkeys: await listPasskeys(parts.store.read, id),
      wallets: await listSignInWallets(parts.store.read, id),
    }),
    askPasskeyToConfirm: ({ user, caller }, purpose) =>
      give(caller, ({ party, challengeToken }) =>
        makeRequestOptions(parts, { kind: 'passkey', purpose, userId: user.id, party, challengeToken }, user),
      ),
    askWalletToConfirm: ({ user, caller }, purpose, walletAddress) =>
      give(caller, ({ party, challengeToken }) =>
        makeSiweMessage(parts, walletAddress, { purpose, user, party, challengeToken }),
      ),
    askPasskeyToLink: async (act) => {
      await prove(act)
      const { user } = act
      return give(act.caller, ({ party, challengeToken }) =>
        makeCreationOptions(parts, { kind: 'passkey', purpose: 'link', userId: user.id, party, challengeToken }, user),
      )
    },
    askWalletToLink: async (act, walletAddress) => {
      await prove(act)
      const { user } = act
      return give(act.caller, ({ party, challengeToken }) =>
        makeSiweMessage(parts, walletAddress, { purpose: 'link', user, party, challengeToken }),
      )
    },
    linkPasskey: (act) => linkPasskey(parts, act),
    linkWallet: (act) => linkWallet(parts, act),
    remove: (act, name) => removeMethod(parts, act, name),
    resetPin: (act, pin) => resetPin(parts, act, pin),
  }
}

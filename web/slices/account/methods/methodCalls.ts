import type { WirePasskeyCreation, WirePasskeyRequest, WireSignInMethods, WireSiweMessage, WireUser } from '@chainboard/contract'
import { RequestError, sendJson } from '../../../lib/fetchJson.ts'
import { loadPart } from '../../../lib/loadPart.ts'
import { signInMethodUrls, signInUrls } from '../../../lib/signInUrls.ts'
import type { SignText } from '../../../lib/signProof.ts'
import { nameDevice } from './nameDevice.ts'

/** The visitor's wallet. */
export type Signer = {
  /** Checksummed; undefined while none is connected. */
  readonly address: string | undefined
  /** What the wallet calls itself. */
  readonly name: string | undefined
  readonly sign: SignText
}

/** How the owner confirms a change: with the PIN as typed, or with what is linked. */
export type Prover = { readonly pin: string } | 'passkey' | 'wallet'

/** What is to become of the ways to sign in. */
export type MethodChange =
  | { readonly kind: 'link-passkey' | 'link-wallet' }
  | { readonly kind: 'remove-passkey'; readonly id: string; readonly name: string }
  | { readonly kind: 'remove-wallet'; readonly address: string; readonly name: string }

type Purpose = 'confirm-link' | 'confirm-removal' | 'confirm-pin'
type Owner = { readonly username: string; readonly signer: Signer }

/** Most visitors never ask a passkey: what does comes when one is asked. */
const loadPasskeys = () => loadPart(() => import('./passkeyAnswers.ts'))

/** Signs in with a passkey, which knows whose it is. @throws RequestError with words for the visitor */
export async function signInByPasskey(): Promise<WireUser> {
  const { answerByPasskey } = await loadPasskeys()
  const response = await answerByPasskey(await sendJson<WirePasskeyRequest>('POST', signInUrls.askPasskey, {}))
  return sendJson('POST', signInUrls.passkey, { response })
}

/** Signs in with the connected wallet (EIP-4361). @throws RequestError with words for the visitor */
export async function signInByWallet(signer: Signer): Promise<WireUser> {
  return sendJson('POST', signInUrls.wallet, await signText(signer, (body) => sendJson('POST', signInUrls.askWallet, body)))
}

/** @returns all that is linked after it. @throws RequestError with words for the visitor */
export async function changeMethods(owner: Owner, change: MethodChange, prover: Prover): Promise<WireSignInMethods> {
  const urls = signInMethodUrls(owner.username)
  const isLink = change.kind === 'link-passkey' || change.kind === 'link-wallet'
  const proof = await prove(owner, isLink ? 'confirm-link' : 'confirm-removal', prover)
  switch (change.kind) {
    case 'link-passkey': {
      const { makePasskey } = await loadPasskeys()
      const response = await makePasskey(await sendJson<WirePasskeyCreation>('POST', urls.askPasskey, { proof }))
      return sendJson('POST', urls.passkeys, { response, name: nameDevice(navigator.userAgent) })
    }
    case 'link-wallet': {
      const signed = await signText(owner.signer, (body) => sendJson('POST', urls.askWallet, { ...body, proof }))
      return sendJson('POST', urls.wallets, { ...signed, name: owner.signer.name?.slice(0, 40) })
    }
    case 'remove-passkey':
      return sendJson('DELETE', urls.passkey(change.id), { proof })
    case 'remove-wallet':
      return sendJson('DELETE', urls.wallet(change.address), { proof })
  }
}

/** Sets a new PIN without the old one. @throws RequestError with words for the visitor */
export async function resetPin(owner: Owner, pin: string, prover: 'passkey' | 'wallet'): Promise<WireUser> {
  const proof = await prove(owner, 'confirm-pin', prover)
  return sendJson('POST', signInMethodUrls(owner.username).resetPin, { pin, proof })
}

async function prove({ username, signer }: Owner, purpose: Purpose, prover: Prover): Promise<object> {
  const urls = signInMethodUrls(username)
  if (prover === 'wallet')
    return { wallet: await signText(signer, (body) => sendJson('POST', urls.confirmByWallet, { ...body, purpose })) }
  if (prover !== 'passkey') return prover
  const { answerByPasskey } = await loadPasskeys()
  return { passkey: await answerByPasskey(await sendJson<WirePasskeyRequest>('POST', urls.confirmByPasskey, { purpose })) }
}

/** Has the connected wallet sign what the server gives out for it. */
async function signText({ address, sign }: Signer, ask: (body: { walletAddress: string }) => Promise<WireSiweMessage>) {
  if (!address) throw new RequestError('no wallet', { serverText: 'Connect a wallet first' })
  const { message } = await ask({ walletAddress: address })
  const signing = await sign(message)
  if ('error' in signing) throw new RequestError('the wallet did not sign', { serverText: signing.error })
  return { message, signature: signing.signature }
}

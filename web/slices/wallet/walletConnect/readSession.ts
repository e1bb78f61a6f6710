import { toDisplayText } from '@chainboard/core'
import { fieldOf, textOf } from '../../../lib/untrusted.ts'

// What a wallet approved is what a program of a stranger wrote: it is read, not believed.

const accountsMax = 100
const methodsMax = 100
const nameCharsMax = 32

type Account = { readonly chainId: number; readonly address: string }

/** What a wallet lets this site do. Accounts are as the wallet wrote them, in its order. */
export type Approved = {
  readonly accounts: readonly Account[]
  readonly methods: ReadonlySet<string>
  /** What the wallet calls itself, made harmless; absent when it has no name. */
  readonly peerName?: string
}

/** Reads a session of WalletConnect. What is not of an EVM chain (CAIP-2 `eip155`), or malformed, is left out. */
export function readSession(session: unknown): Approved {
  const namespaces = fieldOf(session, 'namespaces')
  const entries = Object.entries(typeof namespaces === 'object' && namespaces !== null ? namespaces : {})
  const ours = entries.filter(([key]) => key === 'eip155' || key.startsWith('eip155:')).map(([, value]) => value)
  const peerName = toDisplayText(textOf(fieldOf(fieldOf(session, 'peer'), 'metadata'), 'name') ?? '', '', nameCharsMax)
  return {
    accounts: ours.flatMap((each) => textsOf(each, 'accounts', accountsMax)).flatMap((text) => parseAccount(text) ?? []),
    methods: new Set(ours.flatMap((each) => textsOf(each, 'methods', methodsMax))),
    ...(peerName !== '' && { peerName }),
  }
}

function textsOf(value: unknown, name: string, max: number): string[] {
  const list = fieldOf(value, name)
  return Array.isArray(list) ? list.slice(0, max).filter((each) => typeof each === 'string') : []
}

/** `eip155:31337:0x…` (CAIP-10) */
function parseAccount(text: string): Account | undefined {
  const [, id, address] = /^eip155:(\d{1,16}):(0x[0-9a-f]{40})$/i.exec(text) ?? []
  const chainId = Number(id)
  return address !== undefined && Number.isSafeInteger(chainId) && chainId > 0 ? { chainId, address } : undefined
}

/** The address of an account that an event names: CAIP-10, or the address alone. */
export function readNamedAddress(accounts: unknown): string | undefined {
  const first: unknown = Array.isArray(accounts) ? accounts[0] : undefined
  return typeof first === 'string' ? /^(?:eip155:\d{1,16}:)?(0x[0-9a-f]{40})$/i.exec(first)?.[1] : undefined
}

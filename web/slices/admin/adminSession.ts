import { daySeconds, type OperatorRole, operatorRoles } from '@chainboard/core'
import { type RefObject, useEffect, useRef, useSyncExternalStore } from 'react'
import type { Proof } from '../../lib/signProof.ts'
import { fieldOf, textOf } from '../../lib/untrusted.ts'

/**
 * A login. The message was used up for the session, whose cookie no script sees: what is stored here opens nothing by itself.
 * `loginTime` is unix milliseconds.
 */
export type AdminSession = Proof & { readonly loginTime: number; readonly id: string; readonly role: OperatorRole }

type Snapshot = {
  readonly session: AdminSession | undefined
  /** Why the last one ended, when nobody asked for it. */
  readonly ended: string | undefined
  /** Whether this came about on this page: a login or its end, no page load. */
  readonly turned: boolean
}

const storageKey = 'adminSession'
/** Kept apart, so that a page that loads itself anew still says why it is shut. */
const endedKey = 'adminSessionEnded'
const sessionMs = daySeconds * 1000

/** When a session is over, in unix milliseconds. */
export function endOf({ loginTime }: AdminSession): number {
  return loginTime + sessionMs
}

/** A session from what was stored; undefined for what is none, or is over. */
export function parseSession(text: string | null, nowMs: number): AdminSession | undefined {
  let found: unknown
  try {
    found = JSON.parse(text ?? 'null')
  } catch {
    return undefined
  }
  const walletAddress = textOf(found, 'walletAddress')
  const signature = textOf(found, 'signature')
  const message = textOf(found, 'message')
  const loginTime = fieldOf(found, 'loginTime')
  if (walletAddress === undefined || signature === undefined || message === undefined) return undefined
  const id = textOf(found, 'id')
  const role = operatorRoles.find((each) => each === textOf(found, 'role'))
  if (id === undefined || role === undefined) return undefined
  if (typeof loginTime !== 'number' || loginTime > nowMs || loginTime + sessionMs <= nowMs) return undefined
  return { walletAddress, signature, message, loginTime, id, role }
}

/** Why a session ends by itself. */
export const overText = 'Your session has ended after 24 hours. Log in again.'

function recall(key: string): string | null {
  try {
    return sessionStorage.getItem(key)
  } catch {
    return null // storage is blocked: a reload ends the session
  }
}

function keep(key: string, text: string | undefined): void {
  try {
    if (text === undefined) sessionStorage.removeItem(key)
    else sessionStorage.setItem(key, text)
  } catch {
    // as above
  }
}

let snapshot: Snapshot | undefined
const listeners = new Set<() => void>()

function read(): Snapshot {
  snapshot ??= restore()
  return snapshot
}

/** What an earlier page left; a session that is over meanwhile is one that has ended. */
function restore(): Snapshot {
  const text = recall(storageKey)
  const session = parseSession(text, Date.now())
  if (text !== null && !session) {
    keep(storageKey, undefined)
    keep(endedKey, overText)
  }
  return { session, ended: recall(endedKey) ?? undefined, turned: false }
}

function show(next: Omit<Snapshot, 'turned'>): void {
  snapshot = { ...next, turned: true }
  keep(storageKey, next.session && JSON.stringify(next.session))
  keep(endedKey, next.ended)
  for (const listener of listeners) listener()
}

/** Keeps a login for this tab. */
export function startAdminSession(proof: Proof, opened: Pick<AdminSession, 'id' | 'role'>): void {
  show({ session: { ...proof, loginTime: Date.now(), id: opened.id, role: opened.role }, ended: undefined })
}

/** @param reason for the operator, who did not ask for it */
export function endAdminSession(reason?: string): void {
  show({ session: undefined, ended: reason })
}

/** The operator's login, or why there is none. */
export function useAdminSession(): Snapshot {
  return useSyncExternalStore((listener) => {
    listeners.add(listener)
    return () => listeners.delete(listener)
  }, read)
}

/** For the heading of what a login or its end brings: the control that was pressed has gone, and the focus goes on from there. */
export function useTurnFocus(): RefObject<HTMLHeadingElement | null> {
  const heading = useRef<HTMLHeadingElement>(null)
  const { turned } = useAdminSession()
  useEffect(() => {
    if (turned) heading.current?.focus()
  }, [turned])
  return heading
}

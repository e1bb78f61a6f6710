import { randomUUID } from 'node:crypto'
import type { WireKeyPayment } from '@chainboard/contract'
import { Failure } from '@chainboard/core'
import type { Operator } from '../operators/operator.ts'
import type { AdminAct } from '../store/adminActs.ts'
import { type ApiKey, changeApiKey, insertApiKey, type KeyChange, lockApiKey } from '../store/apiKeys.ts'
import type { KeyDesk } from './keyDesk.ts'
import { hashApiKey, isApiKey, lastCharacters, makeApiKey } from './keyFormat.ts'
import { type KeyEdit, type KeyForm, parseKeyEdit, parseKeyForm } from './parseKeyForm.ts'
import { readPayment } from './readPayment.ts'

type Facts = AdminAct['from']

/**
 * Makes a key for somebody. A transaction that is named is looked at on the chain, for the operator to judge: it stops nothing.
 * @returns the key's text, which is kept nowhere, and its record
 * @throws Failure `request-invalid` with the text for the form
 */
export async function createKey(desk: KeyDesk, by: Operator, form: KeyForm): Promise<{ text: string; key: ApiKey }> {
  const { act, service, chain, usdc, nowMs } = desk
  const parsed = parseKeyForm(form, nowMs() / 1000)
  const payment = parsed.txHash === undefined ? undefined : await readPayment(chain, usdc, parsed.txHash)
  const text = makeApiKey()
  const key: ApiKey = {
    ...parsed,
    id: randomUUID(),
    hash: hashApiKey(text),
    last4: lastCharacters(text),
    status: 'active',
    createdAtSeconds: Math.floor(nowMs() / 1000),
    lastUsedAtSeconds: undefined,
    payment: payment && JSON.stringify(payment),
    wallet: undefined,
  }
  await act(by, async (tx, record) => {
    await insertApiKey(tx, key)
    await record({ act: 'create', keyId: key.id, to: { ...toFacts(key), ...toPaid(payment) } })
  })
  service.index.forget([key.hash])
  return { text, key }
}

/**
 * Changes a key; requests, and streams that are open, notice at once.
 * @param name record id, or the key itself
 * @throws Failure `not-found`; as `parseKeyEdit` does
 */
export async function updateKey(desk: KeyDesk, by: Operator, name: string, form: KeyEdit): Promise<ApiKey> {
  const { act, service, nowMs } = desk
  const { before, after } = await act(by, async (tx, record) => {
    const key = await lockApiKey(tx, parseKeyName(name))
    if (!key) throw noSuchKey()
    const change = parseKeyEdit(key, form, nowMs() / 1000)
    const changed = { ...key, ...change }
    if (Object.keys(change).length > 0) {
      await changeApiKey(tx, key.id, change)
      const { from, to } = toDifference(key, changed, change)
      await record({ act: 'update', keyId: key.id, from, to })
    }
    return { before: key, after: changed }
  })
  service.index.forget([before.hash])
  await service.endings.check(before.id)
  return after
}

const recordId = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** @throws Failure `not-found` for what names no key */
export function parseKeyName(name: string): { id: string } | { hash: string } {
  if (isApiKey(name)) return { hash: hashApiKey(name) }
  if (recordId.test(name)) return { id: name }
  throw noSuchKey()
}

/** Does not repeat what was asked for: it may be a key. */
export function noSuchKey(): Failure {
  return new Failure('not-found', 'Key not found')
}

/** A key as the audit log describes it. */
export function toFacts({ tier, status, email, note, requestsPerDay, expiresAtSeconds, wallet, last4, txHash }: ApiKey): Facts {
  return {
    key: `…${last4}`,
    tier,
    status,
    ...(email === '' ? {} : { email }),
    ...(note === '' ? {} : { note }),
    requestsPerDay,
    expiresAt: toMoment(expiresAtSeconds),
    ...(wallet === undefined ? {} : { wallet }),
    ...(txHash === undefined ? {} : { txHash }),
  }
}

function toDifference(before: ApiKey, after: ApiKey, change: KeyChange): { from: Facts; to: Facts } {
  const pick = (key: ApiKey): Facts => ({
    ...('status' in change ? { status: key.status } : {}),
    ...('requestsPerDay' in change ? { requestsPerDay: key.requestsPerDay } : {}),
    ...('expiresAtSeconds' in change ? { expiresAt: toMoment(key.expiresAtSeconds) } : {}),
    ...('note' in change ? { note: key.note } : {}),
  })
  return { from: pick(before), to: pick(after) }
}

function toPaid(payment: WireKeyPayment | undefined): Facts {
  if (!payment) return {}
  const transfers = payment.transfers.map(({ amount, payer, recipient }) => `${amount} USDC from ${payer} to ${recipient}`)
  return { payment: transfers.length > 0 ? transfers.join(', ') : payment.status }
}

function toMoment(seconds: number | undefined): string | null {
  return seconds === undefined ? null : new Date(seconds * 1000).toISOString()
}

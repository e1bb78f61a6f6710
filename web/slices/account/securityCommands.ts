import type { WireRecoveryCodes } from '@chainboard/contract'
import { sendJson } from '../../lib/fetchJson.ts'
import { queryClient } from '../../lib/queryClient.ts'
import { devicesUrl, deviceUrl, noticeUrl, pinUrl, recoveryCodesUrl } from '../../lib/securityUrls.ts'
import { securityKey } from './useSecurity.ts'

// What a user does to guard the account. All throw RequestError with the server's text; the list of devices is read again after each.

async function andReload<T>(username: string, change: Promise<T>): Promise<T> {
  const result = await change
  await queryClient.invalidateQueries({ queryKey: securityKey(username) })
  return result
}

/** Sets a new PIN; all other devices are logged out. */
export function changePin(username: string, pin: string, newPin: string): Promise<null> {
  return andReload(username, sendJson('POST', pinUrl(username), { pin, newPin }))
}

/** New codes, which end those before them. */
export function makeRecoveryCodes(username: string, pin: string): Promise<WireRecoveryCodes> {
  return andReload(username, sendJson('POST', recoveryCodesUrl(username), { pin }))
}

/** Logs a device out, and forgets its browser. */
export function endDevice(username: string, id: string): Promise<null> {
  return andReload(username, sendJson('DELETE', deviceUrl(username, id)))
}

/** Logs all devices out but this one. */
export function endOtherDevices(username: string): Promise<null> {
  return andReload(username, sendJson('DELETE', devicesUrl(username)))
}

/** The user has seen it. */
export function dismissNotice(username: string, id: string): Promise<null> {
  return andReload(username, sendJson('DELETE', noticeUrl(username, id)))
}

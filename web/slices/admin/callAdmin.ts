import { useState } from 'react'
import { RequestError, sendJson } from '../../lib/fetchJson.ts'
import { type AdminSession, endAdminSession } from './adminSession.ts'

/**
 * One call of the operators' panel. When the server no longer takes the login, the session ends with the server's reason.
 * @throws RequestError
 */
export async function callAdmin<T>(session: AdminSession, url: string, fields: object = {}): Promise<T> {
  try {
    return await sendJson<T>('POST', url, { ...fields, session: session.id })
  } catch (error) {
    if (error instanceof RequestError && error.status === 401)
      endAdminSession(error.serverText ?? 'Your session has ended. Log in again.')
    throw error
  }
}

/** The server's own words, or `otherwise`. */
export function toFailureText(error: unknown, otherwise: string): string {
  return (error instanceof RequestError ? error.serverText : undefined) ?? otherwise
}

/** One thing done on the server at a time, with the words for when it fails. */
export function useAct() {
  const [state, setState] = useState<{ readonly busy: boolean; readonly error?: string }>({ busy: false })
  /** `undefined` when it failed; `error` says why. */
  const run = async <T>(act: () => Promise<T>, otherwise: string): Promise<T | undefined> => {
    setState({ busy: true })
    try {
      const result = await act()
      setState({ busy: false })
      return result
    } catch (error) {
      setState({ busy: false, error: toFailureText(error, otherwise) })
      return undefined
    }
  }
  return { ...state, run }
}

import { useState } from 'react'
import { toFailureText } from './callAdmin.ts'

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

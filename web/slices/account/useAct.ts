import { useState } from 'react'
import { RequestError } from '../../lib/fetchJson.ts'
import { notify } from '../../lib/notice.ts'

/** Runs one act at a time. @returns which one is under way, and what starts one; a failure is told at the foot of the screen */
export function useAct() {
  const [running, setRunning] = useState<string>()
  const run = async (name: string, { act, done, failed }: { act: () => Promise<unknown>; done?: string; failed: string }) => {
    if (running !== undefined) return
    setRunning(name)
    try {
      await act()
      if (done) notify(done)
    } catch (error) {
      notify((error instanceof RequestError ? error.serverText : undefined) ?? failed, 'note')
    } finally {
      setRunning(undefined)
    }
  }
  return { running, run }
}

import { useRef, useState } from 'react'
import { RequestError } from '../../lib/fetchJson.ts'

type Question = { readonly busy: boolean; readonly error: string | undefined }

/**
 * Asks for the PIN before `act` is called with it.
 * @param failureText when the server gives no text of its own
 */
export function usePinQuestion(act: (pin: string) => Promise<void>, failureText: string) {
  const [question, setQuestion] = useState<Question>()
  const opener = useRef<HTMLButtonElement>(null)
  return {
    question,
    /** For the button that asks, which is not there while the box is. */
    opener,
    ask: () => setQuestion({ busy: false, error: undefined }),
    cancel() {
      setQuestion(undefined)
      requestAnimationFrame(() => opener.current?.focus())
    },
    async confirm(pin: string) {
      setQuestion({ busy: true, error: undefined })
      try {
        await act(pin)
        setQuestion(undefined)
      } catch (error) {
        const serverText = error instanceof RequestError ? error.serverText : undefined
        setQuestion({ busy: false, error: serverText ?? failureText })
      }
    },
  }
}

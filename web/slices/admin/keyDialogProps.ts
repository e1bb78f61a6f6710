import type { WireApiKey } from '@chainboard/contract'
import type { AdminSession } from './adminSession.ts'

/** What a dialog about one key is given. `onDone`: after the server has done it. */
export type KeyDialogProps = {
  readonly session: AdminSession
  readonly apiKey: WireApiKey
  readonly onDone: () => void
  readonly open: boolean
  readonly onClose: () => void
  readonly onClosed: () => void
}

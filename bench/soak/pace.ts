import { type Static, Type } from 'typebox'

/** What the paced client is started with. `perSecond` absent: as fast as the answers come. */
export type Pace = { readonly url: string; readonly paths: readonly string[]; readonly key: string; readonly perSecond?: number }

/** What it answers in the end: answers by status, and by error code where there was none. */
export const pacedSchema = Type.Object({ statuses: Type.Record(Type.String(), Type.Integer()), ms: Type.Number() })
export type Paced = Readonly<Static<typeof pacedSchema>>

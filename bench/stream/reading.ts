import { type Static, Type } from 'typebox'

/** What the process of the readers is started with. `breakEveryMs`: how often each reader drops its connection, on average. */
export type Reading = {
  readonly url: string
  readonly keys: readonly string[]
  readonly readers: number
  /** Readers of one token each. */
  readonly choosing: number
  readonly addresses: readonly string[]
  readonly breakEveryMs: number
}

/** What it answers in the end. Delays: milliseconds after the first reader received the same event. */
export const heardSchema = Type.Object({
  events: Type.Integer(),
  deliveries: Type.Integer(),
  reconnects: Type.Integer(),
  /** Reconnects that the server could not resume. */
  lost: Type.Integer(),
  /** Changes that a reader should have received, and did not. */
  missed: Type.Integer(),
  /** Changes that a reader received twice, or out of order. */
  odd: Type.Integer(),
  delaysMs: Type.Array(Type.Number()),
  errors: Type.Array(Type.String()),
})
export type Heard = Readonly<Static<typeof heardSchema>>

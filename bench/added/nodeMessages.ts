import { type Static, Type } from 'typebox'
import { chainSchema, limitsSchema } from '../fabricatedFacts.ts'

/** What the process of a node is started with. */
export const servedFacts = Type.Object({ chain: chainSchema, limits: limitsSchema })
export type ServedFacts = Static<typeof servedFacts>

/** `endAt`: the last block for good. `tell`: send the calls so far. `forget`: drop them. */
export type NodeOrder = { readonly endAt?: number; readonly forget?: true; readonly tell?: true }

/** A call for logs. `addresses` is absent where none are named. */
const logCall = Type.Object({
  from: Type.Integer(),
  to: Type.Integer(),
  addresses: Type.Optional(Type.Array(Type.String())),
})
export type LogCall = Readonly<Static<typeof logCall>>

/** What it answers: its URL once it listens, its head, and the calls since it was last told to forget. */
export const nodeMessages = {
  listening: Type.Object({ listening: Type.String() }),
  head: Type.Object({ head: Type.Integer() }),
  calls: Type.Object({ calls: Type.Object({ logs: Type.Array(logCall), all: Type.Integer() }) }),
}

import { warningCodes } from '@chainboard/core'
import { type Static, Type } from 'typebox'
import { literals } from './shapes.ts'

/** The closed list of what can be wrong with a token. */
export const warningCodeSchema = literals(warningCodes)

/** A warning about a token: its code, and one sentence or two with the evidence in figures. Names of tokens in it are harmless text. */
export const warningSchema = Type.Object({ code: warningCodeSchema, text: Type.String() })

export type WireWarning = Static<typeof warningSchema>

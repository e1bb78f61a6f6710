import type { Address, Hex } from '@chainboard/core'

/** One question to a contract. */
export type ViewCall = { readonly to: Address; readonly data: Hex }

/** What a contract answered, unread; undefined when it reverted. Where no contract stands the answer is `0x`. */
export type ViewAnswer = Hex | undefined

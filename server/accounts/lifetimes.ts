import { daySeconds } from '@chainboard/core'

/** A session ends so long after its sign-in. */
export const sessionSeconds = 30 * daySeconds
/** A browser is known so long after its last sign-in. */
export const browserSeconds = 365 * daySeconds
/** A network so long: its addresses go to other people. */
export const networkSeconds = 90 * daySeconds

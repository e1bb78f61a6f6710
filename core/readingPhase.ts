/**
 * What is read now: what prices of now need, then the last day, then the last 31 days, then all before. Each has its own percent and time
 * left.
 */
export const readingPhases = ['prices', 'day', 'month', 'history'] as const

export type ReadingPhase = (typeof readingPhases)[number]

/** Of tokens that were added to the list. `waiting`: for the index, or for other tokens. `reading`: their pools' history. `valuing`: the pools are in, blocks are valued again. */
export const listPhases = ['waiting', 'reading', 'valuing'] as const

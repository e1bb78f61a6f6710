/** Moments before now with which a price is compared, besides those of a day and a week; in seconds. */
export const recentSpans = { m5: 300, h1: 3_600, h6: 21_600 } as const

export type RecentSpan = keyof typeof recentSpans

/** Something for each of these moments. */
export type ByRecentSpan<T> = Readonly<Record<RecentSpan, T>>

/** Works out one value for each moment. */
export function mapRecentSpans<T>(toValue: (span: RecentSpan) => T): ByRecentSpan<T> {
  return { m5: toValue('m5'), h1: toValue('h1'), h6: toValue('h6') }
}

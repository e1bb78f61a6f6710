/** The UTC day of a moment: `2026-11-21`. */
export function dayOf(seconds: number): string {
  return new Date(seconds * 1000).toISOString().slice(0, 10)
}

/** Ticks on either side of a price that are 2 % away: 1.0001 to the power of 198 is 1.02. */
const ticksAside = 198

/** The ticks within 2 % of one; `to` is not one of them. */
export function nearTicks(tick: number): { readonly from: number; readonly to: number } {
  return { from: tick - ticksAside, to: tick + ticksAside + 1 }
}

/** How dark a day is in the heat grid, from 0. */
export type HeatShade = 0 | 1 | 2 | 3

/** Every shade and the counts it stands for. */
export const heatShades: readonly { readonly shade: HeatShade; readonly text: string }[] = [
  { shade: 0, text: '0' },
  { shade: 1, text: '1' },
  { shade: 2, text: 'Up to 3' },
  { shade: 3, text: 'More than 3' },
]

/** How dark a day is drawn on which so many registered. */
export function toHeatShade(users: number): HeatShade {
  if (users <= 0) return 0
  if (users === 1) return 1
  return users <= 3 ? 2 : 3
}

/** Of a palette, the colours of the two directions. */
type Directions = { readonly up: string; readonly down: string }

/** Rising candles are hollow, falling ones are full: the direction can be told without the colour. */
export function candleLook({ up, down }: Directions) {
  return {
    upColor: 'transparent',
    borderUpColor: up,
    wickUpColor: up,
    downColor: down,
    borderDownColor: down,
    wickDownColor: down,
    borderVisible: true,
  } as const
}

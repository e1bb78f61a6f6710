/**
 * Calls `act` when what the page shows now is painted: work that no frame waits for. A tab that nobody sees paints nothing until it is seen.
 * @returns stops it, while it has not begun
 */
export function afterPaint(act: () => void): () => void {
  let timer: ReturnType<typeof setTimeout>
  // The frame is painted after this call.
  const frame = requestAnimationFrame(() => {
    timer = setTimeout(act)
  })
  return () => {
    cancelAnimationFrame(frame)
    clearTimeout(timer)
  }
}

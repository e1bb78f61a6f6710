/**
 * Calls `act` when what the page shows now is on its way to the screen: for work that would hold that frame up. A tab that nobody sees paints
 * nothing, and does not wait.
 * @returns stops it, while it has not begun
 */
export function afterPaint(act: () => void): () => void {
  let timer: ReturnType<typeof setTimeout>
  if (document.hidden) {
    timer = setTimeout(act)
    return () => clearTimeout(timer)
  }
  // The first frame is painted after its call, and put together on other threads, which a busy page would slow down. Then the second begins.
  let frame = requestAnimationFrame(() => {
    frame = requestAnimationFrame(() => {
      timer = setTimeout(act)
    })
  })
  return () => {
    cancelAnimationFrame(frame)
    clearTimeout(timer)
  }
}

let holds = 0

/** Keeps the page from loading itself anew until the returned function is called; calling it again does nothing. */
export function holdReload(): () => void {
  let held = true
  holds += 1
  return () => {
    if (held) holds -= 1
    held = false
  }
}

/** Something is under way that a reload would lose: a wallet is being asked, a transaction waits. */
export function isReloadHeld(): boolean {
  return holds > 0
}

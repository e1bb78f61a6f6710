const storageKey = 'recentTokens'
/** More than these nobody looks for. */
const recentMax = 6
const addressShape = /^0x[0-9a-fA-F]{40}$/

/** Addresses that were opened from the palette, the newest first. What somebody else wrote there is left out. */
export function readRecent(): readonly string[] {
  try {
    const kept = (localStorage.getItem(storageKey) ?? '').split(',')
    return kept.filter((address) => addressShape.test(address)).slice(0, recentMax)
  } catch {
    return [] // storage is blocked: nothing is kept
  }
}

/** Puts an address first. */
export function keepRecent(address: string): void {
  const others = readRecent().filter((other) => other.toLowerCase() !== address.toLowerCase())
  try {
    localStorage.setItem(storageKey, [address, ...others].slice(0, recentMax).join())
  } catch {
    // as above
  }
}

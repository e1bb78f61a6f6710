const key = 'username'

/** Name of the user who was signed in when the page was last open, in this or another tab. */
export function readStoredUsername(): string | undefined {
  try {
    return localStorage.getItem(key) || undefined
  } catch {
    return undefined // storage is blocked: a session lasts as long as the page
  }
}

/** Remembers who to sign in again after a reload. */
export function storeUsername(username: string): void {
  try {
    localStorage.setItem(key, username)
  } catch {
    // as above
  }
}

/** Leaves a name alone that another tab has stored since. */
export function forgetUsername(username: string): void {
  try {
    if (localStorage.getItem(key) === username) localStorage.removeItem(key)
  } catch {
    // as above
  }
}

/** Calls `tell` when another tab signs in or out. Returns what stops that. */
export function followStoredUsername(tell: (username: string | undefined) => void): () => void {
  const listen = (event: StorageEvent) => {
    if (event.key === key || event.key === null) tell(readStoredUsername())
  }
  addEventListener('storage', listen)
  return () => removeEventListener('storage', listen)
}

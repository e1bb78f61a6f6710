const key = 'wallet'

/** Id of the wallet that was connected when the page was last open: after a reload it is asked again, without a prompt. */
export function readRememberedWallet(): string | undefined {
  try {
    return localStorage.getItem(key) ?? undefined
  } catch {
    return undefined // storage is blocked: a reload ends the connection
  }
}

export function rememberWallet(id: string): void {
  try {
    localStorage.setItem(key, id)
  } catch {
    // as above
  }
}

export function forgetWallet(): void {
  try {
    localStorage.removeItem(key)
  } catch {
    // as above
  }
}

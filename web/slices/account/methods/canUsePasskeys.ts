/** What of the browser decides about passkeys. */
type Place = {
  readonly isSecureContext: boolean
  readonly PublicKeyCredential?: unknown
  readonly location: { readonly hostname: string }
}

/** Whether this browser can have passkeys for this page: over https or on localhost, and under a name, as addresses can have none. */
export function canUsePasskeys({ isSecureContext, PublicKeyCredential, location: { hostname } }: Place): boolean {
  const isAddress = /^[\d.]+$/.test(hostname) || hostname.startsWith('[')
  return isSecureContext && typeof PublicKeyCredential === 'function' && !isAddress
}

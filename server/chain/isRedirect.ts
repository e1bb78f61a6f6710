const statuses = [301, 302, 303, 307, 308]

/** Whether a response that was fetched with `redirect: 'manual'` leads elsewhere. A browser hides its status. */
export function isRedirect({ status, type }: { readonly status: number; readonly type?: ResponseType }): boolean {
  return type === 'opaqueredirect' || statuses.includes(status)
}

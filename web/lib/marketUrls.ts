import { apiUrl } from './apiUrl.ts'

// Addresses that the pages of the market alone ask for or link to: apart from urls.ts, which the home page loads first.

/** What was paid for boosts of a token, newest first. */
export function boostsUrl(token: string, pageSize: number): string {
  return apiUrl('/api/boosts', {}, { token, page: 1, pageSize })
}

/** The home page with the boost of a token open. */
export function boostPath(token: string): string {
  return `/?${new URLSearchParams({ boost: token })}`
}

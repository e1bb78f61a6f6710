import { notify } from '../../lib/notice.ts'

/** What a visitor without an account reads on marking a token. */
export function askToLogIn(): void {
  notify('Please log in to add tokens to your watchlist', 'note')
}

import { copyText } from './copyText.ts'
import { notify } from './notice.ts'

/** Puts an address on the clipboard, and says whether that worked. */
export async function copyAddress(address: string): Promise<void> {
  if (await copyText(address)) notify('Address copied to clipboard')
  else notify(`Your browser blocked copying ${address}`, 'note')
}

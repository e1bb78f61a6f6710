import { copyText } from './copyText.ts'
import { notify } from './notice.ts'

/** Puts an address on the clipboard, and says whether that worked. */
export async function copyAddress(address: string): Promise<void> {
  notify((await copyText(address)) ? 'Address copied to clipboard' : `The browser did not allow copying ${address}`)
}

import { resolve } from 'node:path'

/** The project's folder, or that of an unpacked archive: what the server finds there are `networks` and `web/dist`. */
export const root = resolve(import.meta.dirname, '..')

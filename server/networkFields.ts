import { Type } from 'typebox'

// What fields of a network file are made of, its own and those of price sources. Every description reads as the end of "expected …".

/** In any spelling: `toAddress` of `networkFile.ts` gives it in lower case. */
export const address = Type.String({ pattern: '^0x[0-9a-fA-F]{40}$', description: 'an address: 0x and 40 hexadecimal digits' })
/** Without blanks. Whether anything answers there is the doctor's question. */
export const httpUrl = Type.String({ pattern: '^https?://[^\\s]+$', maxLength: 2_000, description: 'an http or https URL' })
/**
 * Where WebSockets are accepted, without a query; unencrypted on this machine alone. That it is a URL is checked apart: a pattern knows no
 * ports.
 */
export const socketUrl = Type.String({
  pattern: '^(wss://[A-Za-z0-9.-]+|ws://(localhost|127\\.0\\.0\\.1))(:[0-9]+)?(/[A-Za-z0-9._~/-]*)?$',
  maxLength: 200,
  description: 'a wss URL without a query, or a ws URL of localhost or 127.0.0.1',
})
/** Of this server: no query, no fragment. */
export const urlPath = Type.String({ pattern: '^/[^\\s?#]*$', maxLength: 200, description: 'a path that begins with /' })

/** An object that has these fields and no others. */
export function object<T extends Record<string, Parameters<typeof Type.Optional>[0]>>(fields: T) {
  return Type.Object(fields, { additionalProperties: false, description: 'an object' })
}

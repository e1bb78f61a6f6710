import { type Address, parseAddress } from '@chainboard/core'

const textMax = 100
const tokensMax = 1_000

/** Addresses split by commas, none twice; undefined when one is none. */
export function parseAddresses(text: string): readonly [Address, ...Address[]] | undefined {
  const addresses = [...new Set(text.split(',').map((part) => parseAddress(part.trim())))]
  if (!addresses.every((address) => address !== undefined)) return undefined
  const [first, ...rest] = addresses
  return first && [first, ...rest]
}

/** A whole number from 0 to `max`, in digits; undefined for anything else. */
export function parseNumber(text: string, max: number): number | undefined {
  return /^\d{1,15}$/.test(text) && Number(text) <= max ? Number(text) : undefined
}

/** How many tokens the first list has. */
export function parseTokens(text: string): number | undefined {
  const count = parseNumber(text, tokensMax)
  return count === 0 ? undefined : count
}

/** Without blanks around it; undefined when nothing is left, or over 100 characters. */
export function parseText(text: string): string | undefined {
  const trimmed = text.trim()
  return trimmed.length > 0 && trimmed.length <= textMax ? trimmed : undefined
}

/** The name of the files. */
export function parseName(text: string): string | undefined {
  return /^[a-z0-9][a-z0-9-]{0,59}$/.test(text) ? text : undefined
}

/** `Ethereum Classic` -> `ethereum-classic`. */
export function toName(chainName: string, chainId: number): string {
  const name = chainName
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-+|-+$/g, '')
  return parseName(name) ?? `chain-${chainId}`
}

/** An http(s) URL, without slashes at the end. */
export function parseUrl(text: string): string | undefined {
  const url = URL.parse(text.trim())
  return url && /^https?:$/.test(url.protocol) && !/\s/.test(text.trim()) ? text.trim().replace(/\/+$/, '') : undefined
}

/** A URL with `{address}`; empty for none. */
export function parseTemplate(text: string): string | undefined {
  return text === '' || /^https?:\/\/[^\s]*\{address\}/.test(text) ? text : undefined
}

/** RPC URLs split by commas. */
export function parseRpcUrls(text: string): readonly [string, ...string[]] | undefined {
  const [first, ...rest] = text.split(',').map((url) => url.trim())
  const urls: [string, ...string[]] = [first ?? '', ...rest]
  return urls.every((url) => parseUrl(url) !== undefined) ? urls : undefined
}

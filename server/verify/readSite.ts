import { Value } from 'typebox/value'
import { type Receipt, receiptSchema } from '../market/receipt.ts'

/** What a site claims: its chain, the node it names for browsers, and the receipt of one price. */
export type SiteClaim = { readonly chainId: number; readonly rpcUrl: string; readonly receipt: Receipt }

/** The claim, or why there is none. */
export type SiteAnswer = { readonly claim: SiteClaim } | { readonly problem: string }

export type SiteQuestion = {
  readonly site: string
  /** An address, or a symbol of one listed token. */
  readonly token: string
  readonly block: number | undefined
  readonly timeoutMs: number
}

const bytesMax = 5_000_000

/** Asks a site for the receipt of a token's price. */
export async function readSite({ site, token, block, timeoutMs }: SiteQuestion): Promise<SiteAnswer> {
  const get = (path: string) => getJson(new URL(path, site).href, timeoutMs)
  const config = await get('/api/config')
  if ('problem' in config) return config
  const chain = (config.value as { chain?: { id?: unknown; rpcUrl?: unknown } } | null)?.chain
  if (typeof chain?.id !== 'number' || typeof chain.rpcUrl !== 'string') return { problem: `${site} is no Chainboard site` }
  const address = await findAddress(get, token)
  if ('problem' in address) return address
  const answer = await get(`/api/tokens/${address.value}/receipt${block === undefined ? '' : `?block=${block}`}`)
  if ('problem' in answer) return answer
  if (!Value.Check(receiptSchema, answer.value)) return { problem: `${site} answers a receipt of another shape` }
  const receipt = answer.value
  if (receipt.token.toLowerCase() !== address.value.toLowerCase())
    return { problem: `${site} answers a receipt of ${receipt.token}, not of ${address.value}` }
  if (block !== undefined && receipt.block?.number !== block)
    return { problem: `${site} answers a receipt of block ${receipt.block?.number ?? 'none'}, not of block ${block}` }
  const rpcUrl = URL.parse(chain.rpcUrl, site)
  if (!rpcUrl || !/^https?:$/.test(rpcUrl.protocol)) return { problem: `${site} names a node by something else than an http URL` }
  return { claim: { chainId: chain.id, rpcUrl: rpcUrl.href, receipt } }
}

type Got = { readonly value: unknown } | { readonly problem: string }
type Found = { readonly value: string } | { readonly problem: string }

async function findAddress(get: (path: string) => Promise<Got>, token: string): Promise<Found> {
  if (/^0x[0-9a-fA-F]{40}$/.test(token)) return { value: token }
  const found = await get(`/assets.json?search=${encodeURIComponent(token)}`)
  if ('problem' in found) return found
  const rows = Array.isArray(found.value) ? (found.value as { symbol?: unknown; address?: unknown }[]) : []
  const matches = rows.filter(({ symbol }) => String(symbol).toLowerCase() === token.toLowerCase())
  if (matches.length === 1) return { value: String(matches[0]?.address) }
  if (matches.length === 0) return { problem: `No token with the symbol ${token} is listed there` }
  const addresses = matches.map(({ address }) => address).join(', ')
  return { problem: `Several tokens have the symbol ${token}: name one by its address, ${addresses}` }
}

async function getJson(url: string, timeoutMs: number): Promise<Got> {
  try {
    const response = await fetch(url, { headers: { accept: 'application/json' }, signal: AbortSignal.timeout(timeoutMs) })
    const text = await response.text()
    if (text.length > bytesMax) return { problem: `${url} answers ${text.length} bytes` }
    const value: unknown = JSON.parse(text)
    if (response.ok) return { value }
    return { problem: String((value as { error?: unknown }).error ?? `${url} answers HTTP ${response.status}`) }
  } catch {
    return { problem: `${new URL(url).origin} does not answer as a Chainboard site does` }
  }
}

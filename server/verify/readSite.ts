import {
  type FigureName,
  type FigureReceipt,
  figureSchema,
  priceRulesSchema,
  type Receipt,
  receiptSchema,
  type WirePriceRules,
} from '@chainboard/contract'
import { fieldsOf, startOfHour } from '@chainboard/core'
import { Value } from 'typebox/value'

/** What a site claims: its chain, the node it names for browsers, its rules, and the receipt of one price. */
export type SiteClaim = {
  readonly chainId: number
  readonly rpcUrl: string
  /** By which rules it makes prices, as it publishes them apart from its receipts; undefined where it does not. */
  readonly rules: WirePriceRules | undefined
  /** Where these are written. */
  readonly rulesFrom: string
  /** What its list says of the token; undefined where the list does not have it. */
  readonly listed: { readonly symbol: string; readonly supply: number } | undefined
  /** Of the price. */
  readonly receipt: Receipt
  /** Of the figure that was asked for; undefined: the price. */
  readonly figure: FigureReceipt | undefined
}

/** The claim, or why there is none. */
export type SiteAnswer = { readonly claim: SiteClaim } | { readonly problem: string }

export type SiteQuestion = {
  readonly site: string
  /** An address, or a symbol of one listed token. */
  readonly token: string
  /** Undefined: the price. */
  readonly figure: FigureName | undefined
  readonly block: number | undefined
  /** Unix seconds in the hour of a candle; undefined: the hour of the block. */
  readonly hour: number | undefined
  readonly timeoutMs: number
}

const bytesMax = 5_000_000

/** Asks a site for the receipt of a token's price, or of another figure of its. */
export async function readSite({ site, token, figure: wanted, block, hour, timeoutMs }: SiteQuestion): Promise<SiteAnswer> {
  const get = (path: string) => getJson(new URL(path, site).href, timeoutMs)
  const config = await get('/api/config')
  if ('problem' in config) return config
  const { chain, prices } = fieldsOf(config.value)
  const { id: chainId, rpcUrl: named } = fieldsOf(chain)
  if (typeof chainId !== 'number' || typeof named !== 'string') return { problem: `${site} is not a Chainboard site` }
  const address = await findAddress(get, token)
  if ('problem' in address) return address
  const query = new URLSearchParams({
    ...(block === undefined ? {} : { block: String(block) }),
    ...(hour === undefined ? {} : { hour: String(hour) }),
  })
  const answer = await get(
    `/api/tokens/${address.value}/receipt${wanted ? `/${wanted}` : ''}${query.size > 0 ? `?${query}` : ''}`,
  )
  if ('problem' in answer) return answer
  const figure = wanted && Value.Check(figureSchema, answer.value) ? answer.value : undefined
  const receipt = figure?.price ?? answer.value
  if ((wanted && figure?.figure !== wanted) || !Value.Check(receiptSchema, receipt))
    return { problem: `${site} returned a receipt in an unknown format` }
  if (figure && figure.token.toLowerCase() !== receipt.token.toLowerCase())
    return { problem: `${site} returned a receipt of ${figure.token} with the price of ${receipt.token}` }
  if (receipt.token.toLowerCase() !== address.value.toLowerCase())
    return { problem: `${site} returned a receipt of ${receipt.token}, not of ${address.value}` }
  if (block !== undefined && receipt.block?.number !== block)
    return { problem: `${site} returned a receipt of block ${receipt.block?.number ?? 'none'}, not of block ${block}` }
  const rpcUrl = URL.parse(named, site)
  if (!rpcUrl || !/^https?:$/.test(rpcUrl.protocol)) return { problem: `${site} names a node without an http URL` }
  const startSeconds = figure?.candle?.startSeconds
  if (startSeconds !== undefined && startSeconds !== startOfHour(hour ?? receipt.block?.timestamp ?? 0))
    return { problem: `${site} returned a candle of another hour, which begins at ${startSeconds}` }
  const rules = Value.Check(priceRulesSchema, prices) ? prices : undefined
  const listed = await findListed(get, address.value)
  return { claim: { chainId, rpcUrl: rpcUrl.href, rules, rulesFrom: 'its /api/config', listed, receipt, figure } }
}

type Got = { readonly value: unknown } | { readonly problem: string }
type Found = { readonly value: string } | { readonly problem: string }

async function findAddress(get: (path: string) => Promise<Got>, token: string): Promise<Found> {
  if (/^0x[0-9a-fA-F]{40}$/.test(token)) return { value: token }
  const found = await get(`/assets.json?search=${encodeURIComponent(token)}`)
  if ('problem' in found) return found
  const rows = Array.isArray(found.value) ? found.value.map(fieldsOf) : []
  const matches = rows.filter(({ symbol }) => String(symbol).toLowerCase() === token.toLowerCase())
  if (matches.length === 1) return { value: String(matches[0]?.['address']) }
  if (matches.length === 0) return { problem: `No token with the symbol ${token} is listed there` }
  const addresses = matches.map(({ address }) => address).join(', ')
  return { problem: `Several tokens have the symbol ${token}: use an address, ${addresses}` }
}

async function findListed(get: (path: string) => Promise<Got>, address: string): Promise<SiteClaim['listed']> {
  const found = await get(`/assets.json?addresses=${address}`)
  const rows = 'value' in found && Array.isArray(found.value) ? found.value.map(fieldsOf) : []
  const { symbol, supply } = rows[0] ?? {}
  return typeof symbol === 'string' && typeof supply === 'number' ? { symbol, supply } : undefined
}

async function getJson(url: string, timeoutMs: number): Promise<Got> {
  try {
    const response = await fetch(url, { headers: { accept: 'application/json' }, signal: AbortSignal.timeout(timeoutMs) })
    const text = await response.text()
    if (text.length > bytesMax) return { problem: `${url} returned ${text.length} bytes` }
    const value: unknown = JSON.parse(text)
    if (response.ok) return { value }
    return { problem: String(fieldsOf(value)['error'] ?? `${url} returned HTTP ${response.status}`) }
  } catch {
    return { problem: `${new URL(url).origin} does not respond like a Chainboard site` }
  }
}

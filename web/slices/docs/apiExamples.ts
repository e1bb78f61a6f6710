import {
  batchUrl,
  clientFileUrl,
  clientTypesUrl,
  pricesUrl,
  priceUrl,
  streamOfUrl,
  symbolPriceUrl,
} from '../../lib/priceApiUrls.ts'
import { absoluteUrl } from '../../lib/urls.ts'

/** What the examples ask for. All of it goes into a shell: nothing but letters, digits and what `toCurl` quotes. */
export type ExampleFacts = {
  /** `https://board.example`. */
  readonly origin: string
  /** Empty for none: the examples then go without. */
  readonly apiKey: string
  /** Two tokens of this site. */
  readonly addresses: readonly [string, string]
  /** Of the first one. */
  readonly symbol: string
}

const plainKey = /^[A-Za-z0-9_-]{1,200}$/
const plainSymbol = /^[A-Za-z0-9]{1,16}$/
const plainAddress = /^0x[0-9a-fA-F]{40}$/

/** What of a typed key may stand in a command; empty for what could be more than a key. */
export function toExampleKey(typed: string): string {
  return plainKey.test(typed) ? typed : ''
}

/** Whether a text has the shape of a key of this site. Only the server knows whether it is one. */
export function looksLikeKey(typed: string): boolean {
  return /^cb_[0-9A-Za-z]{38}$/.test(typed)
}

type Named = { readonly address: string; readonly symbol: string }

/** Two tokens to ask for: those with plain symbols, as names of tokens are anybody's text. `spare` stands in for what is missing. */
export function pickTokens(tokens: readonly Named[], spare: readonly [Named, Named]): Pick<ExampleFacts, 'addresses' | 'symbol'> {
  const plain = tokens.filter(({ address, symbol }) => plainAddress.test(address) && plainSymbol.test(symbol))
  const first = plain[0] ?? spare[0]
  const second = plain[1] ?? spare[1]
  return { addresses: [first.address, second.address], symbol: plainSymbol.test(first.symbol) ? first.symbol : 'WETH' }
}

/** `curl`, a line for each of its options. */
function toCurl(url: string, apiKey: string, options: readonly string[] = []): string {
  const key = apiKey ? [`-H 'X-API-Key: ${apiKey}'`] : []
  return ['curl', ...[...options, ...key, `'${url}'`].map((each) => `  ${each}`)].join(' \\\n').replace('curl \\\n  ', 'curl ')
}

/** One call of each route, to be pasted into a terminal. */
export function curlExamples({ origin, apiKey, addresses, symbol }: ExampleFacts) {
  const at = (url: string) => absoluteUrl(url, origin)
  return {
    all: toCurl(at(pricesUrl), apiKey, ['--compressed']),
    one: toCurl(at(priceUrl(addresses[0])), apiKey),
    symbol: toCurl(at(symbolPriceUrl(symbol)), apiKey),
    batch: toCurl(at(batchUrl), apiKey, [
      `-H 'Content-Type: application/json'`,
      `-d '${JSON.stringify({ addresses }).replace(',', ', ')}'`,
    ]),
    stream: toCurl(at(streamOfUrl(addresses.slice(0, 1))), apiKey, ['-N']),
  } as const
}

/** The command that fetches the client which {@link javaScriptExample} imports, and its types. */
export function clientDownload({ origin }: Pick<ExampleFacts, 'origin'>): string {
  return `curl ${[clientFileUrl, clientTypesUrl].map((url) => `-O '${absoluteUrl(url, origin)}'`).join(' \\\n  ')}`
}

/** The price API's client in a few lines. */
export function javaScriptExample({ origin, apiKey, addresses }: ExampleFacts): string {
  const key = apiKey ? `\n  apiKey: '${apiKey}',` : ''
  return `import { createPriceClient } from './price-client.mjs'

const prices = createPriceClient({
  baseUrl: '${origin}',${key}
})

const { data, rateLimit } = await prices.getPrice('${addresses[0]}')
console.log(data.symbol, data.usdPrice, data.priceStatus, data.confidence)
console.log(\`\${rateLimit.remaining} of \${rateLimit.limit} requests left today\`)`
}

/** The same without a client of ours. */
export function pythonExample({ origin, apiKey, addresses }: ExampleFacts): string {
  const headers = apiKey ? `{"X-API-Key": "${apiKey}"}` : '{}'
  return `import json
from urllib.request import Request, urlopen

url = "${absoluteUrl(priceUrl(addresses[0]), origin)}"
with urlopen(Request(url, headers=${headers})) as answer:
    body = json.load(answer)

price = body["data"]
print(price["symbol"], price["usdPrice"], price["priceStatus"], price["confidence"])
print(body["rateLimit"]["remaining"], "requests left today")`
}

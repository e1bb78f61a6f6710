import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { Failure, parseAddress } from '@chainboard/core'
import { findProblems, type Problem, show } from './findProblems.ts'
import { highlightedSchema, type TokenList, type TokenListEntry, tokenListSchema, toTokenList } from './market/tokenList.ts'
import { type NetworkFile, networkFileSchema } from './networkFile.ts'
import type { StoreLocation } from './store/openStore.ts'

/** Everything the server is told from outside. */
export type Config = {
  readonly networkName: string
  readonly network: NetworkFile
  readonly tokenList: TokenList
  readonly rpcUrls: readonly string[]
  readonly store: StoreLocation
  readonly host: string
  readonly port: number
  /** Host, with the port unless it is the scheme's own, under which people reach the site. */
  readonly domain: string
  readonly logLevel: string
  readonly logosDir: string
}

const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']
const fileBytesMax = 64 * 1024 * 1024
const root = resolve(import.meta.dirname, '..')

/**
 * Reads the environment, the network file and the token list.
 * @throws Failure `config-invalid` that lists every problem at once
 */
export function readConfig(env: Readonly<Record<string, string | undefined>>, networksDir = join(root, 'networks')): Config {
  const problems: Problem[] = []
  const networkName = env['NETWORK'] || 'devnet'
  if (!/^[a-z0-9][a-z0-9-]*$/.test(networkName)) {
    throw invalid([{ field: 'NETWORK', found: show(networkName), wanted: 'a name of small letters, digits and dashes' }])
  }
  const listDir = join(networksDir, 'lists', networkName)
  const network = readJson(join(networksDir, `${networkName}.json`), `networks/${networkName}.json`, networkFileSchema, problems)
  const entries = readJson(join(listDir, 'assets.json'), 'assets.json', tokenListSchema, problems)
  const highlighted = readJson(join(listDir, 'highlighted.json'), 'highlighted.json', highlightedSchema, problems)
  const addresses = listAddresses(entries)
  problems.push(...findDuplicates(addresses), ...findUnlisted(addresses, highlighted))

  const port = parsePort(env['PORT'] || '3000', problems)
  const host = env['HOST'] || '127.0.0.1'
  const publicUrl = env['PUBLIC_URL']
  const domain = publicUrl ? parseDomain(publicUrl, problems) : `${host}:${port}`
  const rpcUrls = parseRpcUrls(env['RPC_URL'], problems)
  const logLevel = env['LOG_LEVEL'] || 'info'
  if (!logLevels.includes(logLevel))
    problems.push({ field: 'LOG_LEVEL', found: show(logLevel), wanted: `one of ${logLevels.join(', ')}` })
  const databaseUrl = env['DATABASE_URL']
  if (databaseUrl && !/^postgres(ql)?:\/\//.test(databaseUrl)) {
    problems.push({ field: 'DATABASE_URL', found: 'a URL of another kind', wanted: 'a postgres:// URL' })
  }
  if (problems.length > 0) throw invalid(problems)

  const checked = network as NetworkFile
  return {
    networkName,
    network: checked,
    tokenList: toTokenList(entries as TokenListEntry[], highlighted as string[]),
    rpcUrls: rpcUrls ?? checked.chain.rpcUrls,
    store: databaseUrl
      ? { databaseUrl }
      : { file: join(resolve(env['DATA_DIR'] || join(root, 'data')), networkName, 'chainboard.db') },
    host,
    port,
    domain,
    logLevel,
    logosDir: join(listDir, 'logos'),
  }
}

function invalid(problems: readonly Problem[]): Failure {
  return new Failure('config-invalid', 'The configuration has problems', { detail: { problems } })
}

function readJson(path: string, name: string, schema: Parameters<typeof findProblems>[0], problems: Problem[]): unknown {
  let content: string
  try {
    content = readFileSync(path, 'utf8')
  } catch {
    problems.push({ field: name, found: 'no readable file', wanted: `a JSON file at ${path}` })
    return undefined
  }
  if (content.length > fileBytesMax) {
    problems.push({ field: name, found: `${content.length} bytes`, wanted: `at most ${fileBytesMax}` })
    return undefined
  }
  try {
    const value: unknown = JSON.parse(content)
    problems.push(...findProblems(schema, value, name))
    return value
  } catch (error) {
    problems.push({ field: name, found: `no JSON (${(error as Error).message})`, wanted: 'JSON' })
    return undefined
  }
}

/** The address of each entry, in lower case; undefined where a broken entry has none. */
function listAddresses(entries: unknown): (string | undefined)[] {
  if (!Array.isArray(entries)) return []
  return entries.map((entry: unknown) => {
    const address: unknown = (entry as { address?: unknown } | null)?.address
    return typeof address === 'string' ? address.toLowerCase() : undefined
  })
}

function findDuplicates(addresses: readonly (string | undefined)[]): Problem[] {
  const firstPlace = new Map<string | undefined, number>()
  return addresses.flatMap((address, i) => {
    const first = firstPlace.get(address)
    if (first === undefined) firstPlace.set(address, i)
    if (address === undefined || first === undefined) return []
    return [{ field: `assets.json.${i}.address`, found: show(address), wanted: `an address that entry ${first} does not have` }]
  })
}

function findUnlisted(addresses: readonly (string | undefined)[], highlighted: unknown): Problem[] {
  const listed = new Set(addresses)
  if (!Array.isArray(highlighted)) return []
  return highlighted.flatMap((address: unknown, i) =>
    typeof address !== 'string' || parseAddress(address) === undefined || listed.has(address.toLowerCase())
      ? []
      : [{ field: `highlighted.json.${i}`, found: show(address), wanted: 'the address of a token in assets.json' }],
  )
}

function parsePort(text: string, problems: Problem[]): number {
  const port = Number(text)
  if (!Number.isInteger(port) || port < 0 || port > 65_535)
    problems.push({ field: 'PORT', found: show(text), wanted: 'a whole number from 0 to 65535' })
  return port
}

function parseDomain(text: string, problems: Problem[]): string {
  const url = URL.parse(text)
  if (!url || !/^https?:$/.test(url.protocol))
    problems.push({ field: 'PUBLIC_URL', found: show(text), wanted: 'an http or https URL' })
  return url?.host ?? ''
}

/** A comma list; undefined leaves the network file's. */
function parseRpcUrls(text: string | undefined, problems: Problem[]): readonly string[] | undefined {
  if (!text) return undefined
  const urls = text.split(',').map((url) => url.trim())
  for (const url of urls) {
    if (!/^https?:$/.test(URL.parse(url)?.protocol ?? ''))
      problems.push({ field: 'RPC_URL', found: 'a text that is no URL', wanted: 'http or https URLs, split by commas' })
  }
  return urls
}

import { join, resolve } from 'node:path'
import { Failure, isLoopback } from '@chainboard/core'
import { Value } from 'typebox/value'
import { type AdminWallet, findPublicAdmins, findUnfitAdmins, parseAdminWallets, toAdminWallets } from './adminWallets.ts'
import { findProblems, type Problem, show } from './findProblems.ts'
import type { SourceEnv } from './market/sourceDefinition.ts'
import { getDefinition, sourceVariables } from './market/sourceRegistry.ts'
import type { TokenList } from './market/tokenList.ts'
import type { NetworkFile } from './networkFileSchema.ts'
import { networkFileSchema } from './networkFileSchema.ts'
import { digestOf, type ListFiles, parseJson, parseTokenList, readListTexts, readText } from './parseTokenList.ts'
import { root } from './places.ts'
import type { StoreLocation } from './store/storeLocation.ts'

/** Everything that the server is configured with. */
export type Config = {
  readonly networkName: string
  readonly network: NetworkFile
  /** The list as it was read at the start. */
  readonly tokenList: TokenList
  /** Where later ones are read; undefined: the list does not change. */
  readonly listFiles: ListFiles | undefined
  readonly rpcUrls: readonly string[]
  /** Where answers of nodes are recorded, and how many bytes of them at most. Absent: nowhere. */
  readonly rpcCache?: { readonly folder: string; readonly bytesMax: number } | undefined
  readonly store: StoreLocation
  /** A replica of the PostgreSQL for reads that need not be of this moment; undefined: there is none. */
  readonly readUrl?: string | undefined
  /** Whether this server may lead those on its PostgreSQL, or only serves. On a file there is one server, which does everything. */
  readonly role: Role
  /** Where files of this network are kept: `DATA_DIR/<network>`. */
  readonly dataDir: string
  readonly host: string
  readonly port: number
  /** Port of the probes' own thread and where it listens. Undefined: probes share the port of the site. */
  readonly metricsPort: number | undefined
  readonly metricsHost: string
  /** What `/metrics` asks for, on whatever port; undefined: nothing. Secret. */
  readonly metricsToken: string | undefined
  /** Whether `/metrics` is on the port of the site: of a public site only with a token. */
  readonly tellsFigures: boolean
  /** How long the listener stays open after readiness went off. */
  readonly drainSeconds: number
  /** Where people reach the site, without a slash at the end: `https://board.example`. */
  readonly origin: string
  /** The same, when `PUBLIC_URL` is set: the only address under which pages are the site's own. */
  readonly publicOrigin: string | undefined
  /** Its host, with the port unless it is the scheme's own. */
  readonly domain: string
  /** Where the secret is that PINs are hashed with: in this file, unless it is given. */
  readonly pepper: { readonly file: string; readonly given: string | undefined }
  /** Reverse proxies in front of the server; 0 when visitors reach it themselves. */
  readonly proxies: number
  readonly logLevel: string
  readonly logosDir: string
  /** What the environment tells sources of prices, by the names of their variables. Secret. */
  readonly sourceEnv: SourceEnv
  /** Wallets that may enter the operators' panel. */
  readonly adminWallets: readonly AdminWallet[]
  /** Whether a key is deleted only when two owners ask for it. */
  readonly twoOwnersDelete: boolean
}

export type Role = 'auto' | 'serve'

const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']

/**
 * Reads the environment, the network file and the token list.
 * @throws Failure `config-invalid` that lists every problem at once
 */
export function readConfig(env: Readonly<Record<string, string | undefined>>, networksDir = join(root, 'networks')): Config {
  const problems: Problem[] = []
  const networkName = env['NETWORK'] || 'devnet'
  if (!/^[a-z0-9][a-z0-9-]*$/.test(networkName)) {
    throw invalid([{ field: 'NETWORK', found: show(networkName), wanted: 'a name of lowercase letters, digits and dashes' }])
  }
  const listDir = join(networksDir, 'lists', networkName)
  const network = readNetworkFile(join(networksDir, `${networkName}.json`), `networks/${networkName}.json`, problems)
  const listTexts = readListTexts(listDir)
  const parsed = parseTokenList(listTexts, listDir)
  problems.push(...parsed.problems)

  const port = parsePort('PORT', env['PORT'] || '3000', problems)
  const metricsPort = env['METRICS_PORT'] ? parsePort('METRICS_PORT', env['METRICS_PORT'], problems) : undefined
  if (metricsPort !== undefined && metricsPort !== 0 && metricsPort === port)
    problems.push({ field: 'METRICS_PORT', found: show(env['METRICS_PORT']), wanted: 'another port than PORT' })
  const drainSeconds = parseDrainSeconds(env['DRAIN_SECONDS'] || '1', problems)
  const host = env['HOST'] || '127.0.0.1'
  const metricsToken = parseSecret('METRICS_TOKEN', env['METRICS_TOKEN'], problems)
  const publicUrl = env['PUBLIC_URL']
  const proxies = parseProxies(env['PROXIES'] || '0', problems)
  if (!publicUrl) problems.push(...findNameless({ host, proxies }))
  const { origin, host: domain } = publicUrl ? parsePublicUrl(publicUrl, problems) : toOwnUrl(host, port)
  const pepper = parseSecret('PIN_PEPPER', env['PIN_PEPPER'], problems)
  const rpcUrls = parseRpcUrls(env['RPC_URL'], problems)
  const rpcCache = parseRpcCache(env['RPC_CACHE'], env['RPC_CACHE_MAX_GB'], problems)
  const logLevel = parseLogLevel(env['LOG_LEVEL'] || 'info', problems)
  const databaseUrl = parseDatabaseUrl('DATABASE_URL', env['DATABASE_URL'], problems)
  const readUrl = parseReadUrl(env['DATABASE_READ_URL'], databaseUrl, problems)
  const role = parseRole(env['ROLE'], databaseUrl, problems)
  const sourceEnv = parseSourceEnv(env, problems)
  const adminWallets = parseAdminWallets(env['ADMIN_WALLETS'], problems)
  if (problems.length > 0 || !network || !parsed.list) throw invalid(problems)

  const admins = adminWallets ?? toAdminWallets(network)
  const unfit = findUnfit(network, sourceEnv, admins)
  if (unfit.length > 0) throw invalid(unfit)
  const dataDir = join(resolve(env['DATA_DIR'] || join(root, 'data')), networkName)
  return {
    networkName,
    network,
    tokenList: parsed.list,
    listFiles: { dir: listDir, digest: digestOf(listTexts) },
    rpcUrls: rpcUrls ?? network.chain.rpcUrls,
    rpcCache,
    dataDir,
    role,
    readUrl,
    store: databaseUrl ? { databaseUrl } : { file: join(dataDir, 'chainboard.db') },
    pepper: { file: join(dataDir, 'pepper'), given: pepper },
    host,
    port,
    metricsPort,
    metricsHost: env['METRICS_HOST'] || '127.0.0.1',
    metricsToken,
    tellsFigures: metricsPort === undefined && (metricsToken !== undefined || isLoopback(new URL(origin).hostname)),
    drainSeconds,
    origin,
    publicOrigin: publicUrl ? origin : undefined,
    domain,
    proxies,
    logLevel,
    logosDir: join(listDir, 'logos'),
    sourceEnv,
    adminWallets: admins,
    twoOwnersDelete: network.twoOwnersDelete ?? false,
  }
}

function invalid(problems: readonly Problem[]): Failure {
  return new Failure('config-invalid', 'The configuration has problems', { detail: { problems } })
}

function readNetworkFile(path: string, name: string, problems: Problem[]): NetworkFile | undefined {
  const value = parseJson(readText(path), { name, path }, problems)
  if (Value.Check(networkFileSchema, value)) return value
  if (value !== undefined) problems.push(...findProblems(networkFileSchema, value, name))
  return undefined
}

function parseLogLevel(text: string, problems: Problem[]): string {
  if (!logLevels.includes(text))
    problems.push({ field: 'LOG_LEVEL', found: show(text), wanted: `one of ${logLevels.join(', ')}` })
  return text
}

function parseReadUrl(url: string | undefined, databaseUrl: string | undefined, problems: Problem[]): string | undefined {
  if (url && !databaseUrl)
    problems.push({
      field: 'DATABASE_READ_URL',
      found: 'a URL without DATABASE_URL',
      wanted: 'the URL of a replica of DATABASE_URL',
    })
  return parseDatabaseUrl('DATABASE_READ_URL', url, problems) || undefined
}

function parseDatabaseUrl(field: string, url: string | undefined, problems: Problem[]): string | undefined {
  if (url && !/^postgres(ql)?:\/\//.test(url)) {
    problems.push({ field, found: 'a URL of another kind', wanted: 'a postgres:// URL' })
  } else if (url && !URL.canParse(url.replace('@/', '@localhost/'))) {
    const wanted = 'postgres://user:password@host:port/database, special characters of the password percent-encoded'
    problems.push({ field, found: 'a text that is not a URL', wanted })
  }
  return url
}

function parseRole(text: string | undefined, databaseUrl: string | undefined, problems: Problem[]): Role {
  const isServe = text === 'serve'
  if (text && text !== 'auto' && !isServe) problems.push({ field: 'ROLE', found: show(text), wanted: '"auto" or "serve"' })
  if (isServe && !databaseUrl)
    problems.push({
      field: 'ROLE',
      found: '"serve" without DATABASE_URL',
      wanted: '"auto": the only server on a file does everything',
    })
  return isServe ? 'serve' : 'auto'
}

/** A container is killed after 30 s where nobody says otherwise: answers under way and the parts need some of those. */
const drainSecondsMax = 300

/** Blanks are no number, as which JavaScript takes them for 0. */
function toNumber(text: string): number {
  return text.trim() === '' ? Number.NaN : Number(text)
}

function parseDrainSeconds(text: string, problems: Problem[]): number {
  const seconds = toNumber(text)
  if (!(seconds >= 0 && seconds <= drainSecondsMax))
    problems.push({ field: 'DRAIN_SECONDS', found: show(text), wanted: `seconds from 0 to ${drainSecondsMax}` })
  return seconds
}

function parsePort(field: string, text: string, problems: Problem[]): number {
  const port = toNumber(text)
  if (!Number.isInteger(port) || port < 0 || port > 65_535)
    problems.push({ field, found: show(text), wanted: 'a whole number from 0 to 65535' })
  return port
}

function parseProxies(text: string, problems: Problem[]): number {
  const proxies = toNumber(text)
  if (!Number.isInteger(proxies) || proxies < 0 || proxies > 10)
    problems.push({
      field: 'PROXIES',
      found: show(text),
      wanted: 'the number of addresses that your proxies put into X-Forwarded-For, 0 to 10',
    })
  return proxies
}

type PublicUrl = { readonly origin: string; readonly host: string }

const rpcCacheGb = { usual: 20, most: 10_000 }

function parseRpcCache(folder: string | undefined, maxGb: string | undefined, problems: Problem[]): Config['rpcCache'] {
  const gb = maxGb ? toNumber(maxGb) : rpcCacheGb.usual
  if (!(gb > 0 && gb <= rpcCacheGb.most))
    problems.push({ field: 'RPC_CACHE_MAX_GB', found: show(maxGb), wanted: `a number over 0, up to ${rpcCacheGb.most}` })
  return folder ? { folder: resolve(folder), bytesMax: gb * 1024 ** 3 } : undefined
}

function parsePublicUrl(text: string, problems: Problem[]): PublicUrl {
  const url = URL.parse(text)
  if (url && /^https?:$/.test(url.protocol)) return url
  problems.push({ field: 'PUBLIC_URL', found: show(text), wanted: 'an http or https URL' })
  return { origin: '', host: '' }
}

/** Where the server listens: right for somebody who runs it at home. */
function toOwnUrl(host: string, port: number): PublicUrl {
  const name = `${host.includes(':') ? `[${host}]` : host}:${port}`
  return { origin: `http://${name}`, host: name }
}

/**
 * Visitors who come from elsewhere come by another name. What wallets sign names the site, so it must be its own: every installation
 * that listens at 127.0.0.1:3000 would accept the messages of every other one.
 */
function findNameless({ host, proxies }: { readonly host: string; readonly proxies: number }): Problem[] {
  const wanted = 'the address that visitors use, such as https://board.example'
  if (!isLoopback(host)) return [{ field: 'PUBLIC_URL', found: `nothing, with HOST ${show(host)}`, wanted }]
  if (proxies > 0) return [{ field: 'PUBLIC_URL', found: `nothing, with PROXIES ${proxies}`, wanted }]
  return []
}

function parseSecret(field: string, text: string | undefined, problems: Problem[]): string | undefined {
  if (text && !/^[\x21-\x7e]{32,200}$/.test(text))
    problems.push({ field, found: `${text.length} characters`, wanted: '32 to 200 random characters without spaces' })
  return text || undefined
}

function parseSourceEnv(env: Readonly<Record<string, string | undefined>>, problems: Problem[]): SourceEnv {
  const given: Record<string, string> = {}
  for (const [field, { isFit, found, wanted }] of Object.entries(sourceVariables)) {
    const text = env[field]
    if (!text) continue
    if (!isFit(text)) problems.push({ field, found, wanted })
    given[field] = text
  }
  return given
}

/** Fields that are well-formed, and do not go together. */
function findUnfit(network: NetworkFile, sourceEnv: SourceEnv, admins: readonly AdminWallet[]): Problem[] {
  return [
    ...findUnfitSources(network, sourceEnv),
    ...findUnfitRpc(network),
    ...findUnfitRelay(network),
    ...findUnfitRetention(network),
    ...findTwice('chain.rpcUrls', network.chain.rpcUrls),
    ...findPublicKeys(network, admins),
    ...findUnfitAdmins(network, admins),
  ]
}

/** Sources that the rest of the file gives nothing to read from. */
function findUnfitSources(network: NetworkFile, env: SourceEnv): Problem[] {
  const { sources } = network.prices
  const wanted = new Set(sources.flatMap((name) => getDefinition(name).findUnfit(network, env) ?? []))
  const problems = [...wanted].map((wanted) => ({ field: 'prices.sources', found: show(sources), wanted }))
  if (network.index.pools === 'none' && !sources.includes('subgraph'))
    problems.push({ field: 'index.pools', found: '"none"', wanted: '"all" or "listed", or the source "subgraph"' })
  return problems
}

/** Browsers call the node through this server unless the network file names another way. */
function findUnfitRpc({ rpc, chain }: NetworkFile): Problem[] {
  if (rpc !== 'off' || chain.publicRpcUrl !== undefined) return []
  return [{ field: 'rpc', found: '"off"', wanted: '"off" only with a chain.publicRpcUrl, which browsers call instead' }]
}

/** What looks like a URL may have a port or an address that none has. */
function findUnfitRelay({ walletConnect }: NetworkFile): Problem[] {
  const { relayUrl } = walletConnect ?? {}
  if (relayUrl === undefined || URL.canParse(relayUrl)) return []
  return [{ field: 'walletConnect.relayUrl', found: show(relayUrl), wanted: 'a URL' }]
}

/** Hours are what swaps are valued again from; added tokens bring pools whose past is valued from their first event. */
function findUnfitRetention({ retention, index }: NetworkFile): Problem[] {
  if (!retention) return []
  const { swapMonths, hourMonths = swapMonths } = retention
  const problems: Problem[] = []
  if (hourMonths < swapMonths)
    problems.push({ field: 'retention.hourMonths', found: show(hourMonths), wanted: `${swapMonths} or more, as swapMonths says` })
  if (index.pools !== 'all') {
    const found = `with index.pools ${show(index.pools)}`
    problems.push({ field: 'retention', found, wanted: 'retention only with index.pools "all"' })
  }
  return problems
}

/** Chain ids that local test chains use, and no others. */
const testChainIds = [1_337, 31_337]

/** A demo wallet's key is known to everybody: on any chain with a value, that would be a trap for its visitors. */
function findPublicKeys({ chain, demoWallets = [] }: NetworkFile, admins: readonly AdminWallet[]): Problem[] {
  if (testChainIds.includes(chain.id)) return []
  const wanted = `none, for a chain.id other than ${testChainIds.join(' or ')}`
  const demos = demoWallets.length > 0 ? [{ field: 'demoWallets', found: `${demoWallets.length} wallets`, wanted }] : []
  return [...demos, ...findPublicAdmins(admins)]
}

/** A comma list; undefined leaves the network file's. */
function parseRpcUrls(text: string | undefined, problems: Problem[]): readonly string[] | undefined {
  if (!text) return undefined
  const urls = text.split(',').map((url) => url.trim())
  for (const url of urls) {
    if (!/^https?:$/.test(URL.parse(url)?.protocol ?? ''))
      problems.push({ field: 'RPC_URL', found: 'a text that is not a URL', wanted: 'http or https URLs, split by commas' })
  }
  problems.push(...findTwice('RPC_URL', urls))
  return urls
}

/** Where one node counts twice, its word alone outvotes the index. */
function findTwice(field: string, urls: readonly string[]): Problem[] {
  const places = urls.map((url) => URL.parse(url)?.href.replace(/\/+$/, ''))
  const twice = places.findIndex((place, i) => place !== undefined && places.indexOf(place) !== i)
  if (twice < 0) return []
  const found = `the same URL at positions ${places.indexOf(places[twice]) + 1} and ${twice + 1}`
  return [{ field, found, wanted: 'each node once' }]
}

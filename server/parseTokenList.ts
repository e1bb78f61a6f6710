import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fieldsOf, messageOf, parseAddress } from '@chainboard/core'
import { Compile } from 'typebox/compile'
import { Value } from 'typebox/value'
import { findProblems, type Problem, show } from './findProblems.ts'
import {
  highlightedSchema,
  listedMax,
  pickListSchema,
  type TokenList,
  type TokenListEntry,
  toEntries,
  tokenListFileSchema,
  tokenSchema,
  toTokenList,
} from './market/tokenList.ts'

/** Longer files are not parsed. */
export const fileBytesMax = 64 * 1024 * 1024
/** Broken tokens whose problems are named. */
const brokenMax = 100

/** What the two files of a list hold; undefined: no readable file. */
export type ListTexts = { readonly assets: string | undefined; readonly highlighted: string | undefined }

/** `list`: undefined when there are problems. */
export type ParsedList = { readonly list: TokenList | undefined; readonly problems: readonly Problem[] }

/** Where the list of a network is, and which one was read at the start. */
export type ListFiles = { readonly dir: string; readonly digest: string }

/** The names of the files of a list, in its folder. */
export const listFileNames = { assets: 'assets.json', highlighted: 'highlighted.json' } as const

/** Undefined: no readable file. */
export function readText(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return undefined
  }
}

/** @param dir the folder of one network's list */
export function readListTexts(dir: string): ListTexts {
  return { assets: readText(join(dir, listFileNames.assets)), highlighted: readText(join(dir, listFileNames.highlighted)) }
}

/** A checksum of a list's files, another one for any other text. */
export function digestOf({ assets, highlighted }: ListTexts): string {
  return createHash('sha256')
    .update(JSON.stringify([assets === undefined, highlighted === undefined]))
    .update(assets ?? '')
    .update('\0')
    .update(highlighted ?? '')
    .digest('base64url')
}

/** A list out of its files, or everything that is wrong with them. Pure. @param dir where they are, as problems name it */
export function parseTokenList(texts: ListTexts, dir: string): ParsedList {
  const problems: Problem[] = []
  const { assets: assetsName, highlighted: highlightedName } = listFileNames
  const assets = parseJson(texts.assets, { name: assetsName, path: join(dir, assetsName) }, problems)
  const read = assets === undefined ? { tokens: [], problems: [] } : readTokens(assets)
  problems.push(...read.problems)
  const highlighted = parseJson(texts.highlighted, { name: highlightedName, path: join(dir, highlightedName) }, problems)
  if (highlighted !== undefined) problems.push(...findProblems(highlightedSchema, highlighted, highlightedName))
  const entries = toEntries(assets)
  const addresses = listAddresses(entries)
  problems.push(...findDuplicates(addresses), ...findUnlisted(addresses, highlighted), ...findUnfitStaking(entries))
  const isWhole = problems.length === 0 && Value.Check(highlightedSchema, highlighted)
  return { list: isWhole ? toTokenList(read.tokens, highlighted) : undefined, problems }
}

/** What a text says as JSON; undefined, with a problem, where it says nothing. */
export function parseJson(
  text: string | undefined,
  { name, path }: { readonly name: string; readonly path: string },
  problems: Problem[],
): unknown {
  if (text === undefined) {
    problems.push({ field: name, found: 'no readable file', wanted: `a JSON file at ${path}` })
    return undefined
  }
  if (text.length > fileBytesMax) {
    problems.push({ field: name, found: `${text.length} bytes`, wanted: `at most ${fileBytesMax}` })
    return undefined
  }
  try {
    return JSON.parse(text)
  } catch (error) {
    problems.push({ field: name, found: `not JSON (${messageOf(error)})`, wanted: 'JSON' })
    return undefined
  }
}

const entryCheck = Compile(tokenSchema)

type ReadTokens = { readonly tokens: readonly TokenListEntry[]; readonly problems: readonly Problem[] }

/**
 * The sound tokens of a list, and what the schemas find in it. Tokens are looked at by a compiled check, and the broken ones by the one
 * that says why: that one takes seconds for a long list.
 */
function readTokens(assets: unknown): ReadTokens {
  const name = listFileNames.assets
  const schema = pickListSchema(assets)
  const entries = toEntries(assets)
  if (!Array.isArray(entries)) return { tokens: [], problems: findProblems(schema, assets, name) }
  const isFile = schema === tokenListFileSchema
  const around = isFile ? findProblems(schema, { ...fieldsOf(assets), tokens: [] }, name) : []
  const field = isFile ? `${name}.tokens` : name
  if (entries.length > listedMax) {
    const tooLong = { field, found: `${entries.length} tokens`, wanted: `a list of at most ${listedMax} tokens` }
    return { tokens: [], problems: [...around, tooLong] }
  }
  const tokens: TokenListEntry[] = []
  const broken: number[] = []
  for (const [i, entry] of entries.entries()) {
    if (entryCheck.Check(entry)) tokens.push(entry)
    else broken.push(i)
  }
  const reasons = broken.slice(0, brokenMax).flatMap((i) => findProblems(tokenSchema, entries[i], `${field}.${i}`))
  return { tokens, problems: [...around, ...reasons] }
}

/** The address of each entry, in lower case; undefined where a broken entry has none. */
function listAddresses(entries: unknown): (string | undefined)[] {
  if (!Array.isArray(entries)) return []
  return entries.map((entry: unknown) => {
    const { address } = fieldsOf(entry)
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

/** Words on how a staking contract is asked, where nothing is asked that way. */
function findUnfitStaking(entries: unknown): Problem[] {
  if (!Array.isArray(entries)) return []
  return entries.flatMap((entry: unknown, i) => {
    const { stakingContract, stakingAdapter, stakingPool } = fieldsOf(entry)
    const of = (name: string, found: unknown, wanted: string) => ({
      field: `assets.json.${i}.${name}`,
      found: show(found),
      wanted,
    })
    if (stakingAdapter !== undefined && stakingContract === undefined)
      return [of('stakingAdapter', stakingAdapter, 'none without a stakingContract')]
    if (stakingPool !== undefined && stakingAdapter !== 'userInfo')
      return [of('stakingPool', stakingPool, 'none without "stakingAdapter": "userInfo"')]
    return []
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

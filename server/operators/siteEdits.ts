import { type Address, Failure, parseAddress } from '@chainboard/core'
import { deleteSiteEdit, findSiteEdit, lockSiteEdit, putSiteEdit } from '../store/siteEdits.ts'
import type { Store } from '../store/store.ts'
import type { Act } from './createActs.ts'
import type { Operator } from './operator.ts'

/** As many as the page shows without getting long. */
export const featuredMax = 24

export type SiteEditParts = {
  readonly store: Store
  readonly act: Act
  /** Whether the operator of the server lets the panel edit. */
  readonly allowed: boolean
  readonly list: {
    /** The symbol of a listed token. */
    readonly symbolOf: (token: Address) => string | undefined
    /** What is featured now. */
    readonly featured: () => readonly Address[]
    /** Puts these in the place of what the files say; undefined: as the files say. */
    readonly putFeatured: (tokens: readonly Address[] | undefined) => void
  }
  readonly nowMs: () => number
}

/** `panel`: an operator's edit counts. `files`: those of the network do. */
export type Featured = { readonly source: 'panel' | 'files'; readonly tokens: readonly Address[] }

/** What operators have the site show in place of its files. */
export type SiteEdits = {
  readonly allowed: boolean
  readFeatured(): Promise<Featured>
  /**
   * @param tokens in order; null: as the files say
   * @throws Failure `forbidden` where only the files count; `request-invalid` for a token that is not listed, twice or one too many
   */
  editFeatured(by: Operator, tokens: unknown): Promise<Featured>
  /** Takes in what was edited, also by another server. To be called now and then. */
  follow(): Promise<void>
}

/** What operators edit of the site in the panel. Nothing where the network file does not allow it. */
export function createSiteEdits({ store, act, allowed, list, nowMs }: SiteEditParts): SiteEdits {
  let seen: string | undefined
  const take = (body: string | undefined) => {
    if (body === seen) return
    seen = body
    list.putFeatured(body === undefined ? undefined : parseBody(body))
  }
  const readFeatured = async (): Promise<Featured> => {
    const edit = allowed ? await findSiteEdit(store.read, 'featured') : undefined
    take(edit?.body)
    return edit ? { source: 'panel', tokens: parseBody(edit.body) } : { source: 'files', tokens: list.featured() }
  }
  return {
    allowed,
    readFeatured,
    editFeatured: async (by, wish) => {
      if (!allowed)
        throw new Failure(
          'forbidden',
          'Featured tokens come from the files of this site. Its operator can allow edits with "panelEdits"',
        )
      const tokens = wish === null ? undefined : parseTokens(wish, list.symbolOf)
      await act(by, async (tx, record) => {
        // Read within: another operator may edit at the same moment.
        const edit = await lockSiteEdit(tx, 'featured')
        take(edit?.body)
        const before = edit ? parseBody(edit.body) : list.featured()
        const atSeconds = Math.floor(nowMs() / 1000)
        if (tokens) await putSiteEdit(tx, { kind: 'featured', body: JSON.stringify(tokens), wallet: by.wallet, atSeconds })
        else await deleteSiteEdit(tx, 'featured')
        const nameAll = (all: readonly Address[]) => all.map((token) => list.symbolOf(token) ?? token).join(', ')
        await record({
          act: 'edit-featured',
          from: { featured: nameAll(before) },
          to: { featured: tokens ? nameAll(tokens) : 'as the files say' },
        })
      })
      return readFeatured()
    },
    follow: async () => {
      if (allowed) await readFeatured()
    },
  }
}

function parseTokens(value: unknown, symbolOf: (token: Address) => string | undefined): readonly Address[] {
  if (!Array.isArray(value) || value.length > featuredMax)
    throw new Failure('request-invalid', `tokens: expected a list of at most ${featuredMax} addresses, or null`)
  const tokens = value.map((each: unknown, place) => {
    const token = typeof each === 'string' ? parseAddress(each) : undefined
    if (!token || symbolOf(token) === undefined)
      throw new Failure('request-invalid', `tokens.${place}: expected the address of a listed token`)
    return token
  })
  const twice = tokens.findIndex((token, place) => tokens.indexOf(token) !== place)
  if (twice >= 0) throw new Failure('request-invalid', `tokens.${twice}: expected each token once`)
  return tokens
}

/** @param body as `editFeatured` stored it */
function parseBody(body: string): readonly Address[] {
  const value: unknown = JSON.parse(body)
  if (!Array.isArray(value))
    throw new Failure('store-damaged', 'The edited list of featured tokens cannot be read', { detail: { body } })
  return value.flatMap((each: unknown) => (typeof each === 'string' ? (parseAddress(each) ?? []) : []))
}

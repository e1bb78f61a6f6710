import type { Receipt, WirePriceRules } from '@chainboard/contract'
import { answerFromPools, type PoolBook } from '../market/answerFromPools.ts'
import { toReceipt } from '../market/receipt.ts'
import { toChecksum } from '../market/toChecksum.ts'
import { atSitesWord, compareOneSided } from './atSitesWord.ts'
import { compare, compareFields } from './compareFields.ts'
import type { Difference } from './judge.ts'
import { toAddress } from './listPools.ts'
import type { SiteClaim } from './readSite.ts'

/** Where a receipt is not the one that the node's pools give; by the name of the field. Pure. */
export function judgeChoice({ receipt, rules, listed }: RuledClaim, book: PoolBook): Difference[] {
  const own = rebuildReceipt(book, { token: receipt.token, symbol: listed?.symbol, rules })
  return [
    ...compareFields(toProvable(receipt), toProvable(own)),
    ...compareOneSided(receipt, own),
    ...compare('checksum', receipt.checksum, toOwnChecksum(receipt)),
  ]
}

/** A claim of a site whose rules are known. */
export type RuledClaim = Pick<SiteClaim, 'receipt' | 'listed'> & { readonly rules: WirePriceRules }

/**
 * Where a receipt names other rules than the site publishes apart from it: they decide which pools are looked for, and none of them is
 * in the chain. Pure.
 */
export function judgeRules({ receipt, rules, rulesFrom }: RuledClaim & Pick<SiteClaim, 'rulesFrom'>): Difference[] {
  const { factory, windowSeconds, ...method } = rules
  const { factory: served, windowSeconds: servedSeconds, method: servedMethod } = receipt
  const own = { factory, windowSeconds, method }
  return compareFields({ factory: served, windowSeconds: servedSeconds, method: servedMethod }, own).map((difference) => ({
    ...difference,
    by: rulesFrom,
  }))
}

type Rebuilt = { readonly token: string; readonly symbol: string | undefined; readonly rules: WirePriceRules }

/** The receipt that a site with these pools serves. @param symbol of the token's list; undefined: its contract's. Pure. */
export function rebuildReceipt(book: PoolBook, { token: address, symbol, rules }: Rebuilt): Receipt {
  const id = toAddress(address)
  const token = { address, id, symbol: symbol ?? book.symbols.get(id) ?? '' }
  const answer = answerFromPools(book, [{ id, decimals: book.decimals.get(id) ?? 0 }]).answers.get(id)
  const quote = answer?.kind === 'quoted' ? answer.quote : undefined
  return toReceipt({ token, quote, reasons: [], warnings: [] }, rules)
}

/** A receipt's checksum as its other fields give it. */
export function toOwnChecksum({ checksum: _, reasons: _reasons, warnings: _warnings, ...claims }: Receipt): string {
  return toChecksum(claims)
}

function toProvable(receipt: Receipt): Partial<Receipt> {
  const left: readonly string[] = [...atSitesWord.words, ...atSitesWord.oneSided, 'checksum']
  return Object.fromEntries(Object.entries(receipt).filter(([field]) => !left.includes(field)))
}

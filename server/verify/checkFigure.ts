import type { FigureReceipt } from '@chainboard/contract'
import { type Address, percentChange, rawToDecimal, rawToNumber, usdAlong } from '@chainboard/core'
import { askAlone } from '../chain/callMany.ts'
import type { Header } from '../chain/chain.ts'
import { toPlainText } from '../market/figures/plainText.ts'
import { toChecksum } from '../market/toChecksum.ts'
import { timesSupply } from '../market/tokenMarket.ts'
import { type Checked, type Made, makeCandle, makeVolume } from './checkSpan.ts'
import { compare, compareFields } from './compareFields.ts'
import type { Difference } from './judge.ts'
import { toAddress } from './listPools.ts'
import { findBlockAt, findWindow, readMedian } from './readMedian.ts'
import type { Asking } from './readPoolEvents.ts'

const daySeconds = 86_400
/** `totalSupply()`. */
const totalSupply = '0x18160ddd'
/** Supplies are read every 30 s, of a long list every 5 min: at these seconds before the block the chain may have had the one served. */
const supplyAges = [0, 15, 30, 60, 120, 300]

/** Where a figure differs from the node's; or why it cannot be told. `found`: the figure as the node's answers give it. */
export type FigureCheck =
  | { readonly differences: readonly Difference[]; readonly found: string | undefined }
  | { readonly problem: string }

/** Works a figure out again, once its price is proven, and compares every field. @throws Failure `rpc-…` as the node does */
export async function checkFigure(asking: Asking, receipt: FigureReceipt, checked: Checked): Promise<FigureCheck> {
  const { figure, value, reasons, checksum, price, ...parts } = receipt
  const head = { figure, token: price.token, symbol: price.symbol, block: price.block }
  const { token, symbol, block } = receipt
  const foreign = compareFields({ figure, token, symbol, block }, head)
  if (foreign.length > 0) return { differences: foreign, found: undefined }
  if (value === null) return { problem: `The site has no such figure: ${reasons.join('; ') || 'it gives no reason'}` }
  const made = await makePart(asking, receipt, checked)
  if ('problem' in made) return made
  const { differences = [], value: found, ...part } = made
  const own = { ...head, change: null, volume: null, candle: null, marketCap: null, ...part }
  return {
    found,
    differences: [
      ...differences,
      ...compare(figure, value, found ?? 'none'),
      ...compareFields({ figure, ...parts }, own),
      ...compare('checksum', checksum, toOwnChecksum(receipt)),
    ],
  }
}

function toOwnChecksum({ checksum: _, reasons: _reasons, price, ...claims }: FigureReceipt): string {
  return toChecksum({ ...claims, price: price.checksum })
}

async function makePart(asking: Asking, receipt: FigureReceipt, checked: Checked): Promise<Made> {
  const { figure, change, volume, candle, marketCap } = receipt
  if (figure === 'change24h' && change) return makeChange(asking, receipt, checked)
  if (figure === 'volume24h' && volume) return makeVolume(asking, receipt, { ...checked, volume })
  if (figure === 'candle' && candle) return makeCandle(asking, receipt, { ...checked, candle })
  if (figure === 'marketcap' && marketCap) return makeMarketCap(asking, receipt, { ...checked, marketCap })
  return { value: undefined, differences: [{ what: 'figure', served: figure, found: 'none of its inputs' }] }
}

async function makeChange(asking: Asking, { token }: FigureReceipt, { rules, last, choice }: Checked): Promise<Made> {
  const priced = choice.found.get(toAddress(token))
  const beforeSeconds = last.timestampSeconds - daySeconds
  const block = await findBlockAt(asking.chain, last, beforeSeconds)
  if (!priced || !block) return { problem: 'The chain is younger than a day' }
  const window = await findWindow(asking.chain, { ...block, timestampSeconds: beforeSeconds }, rules.windowSeconds)
  const medians = new Map<Address, bigint>()
  for (const { pool } of priced.route) {
    const median = await readMedian(asking, pool, window)
    if (median) medians.set(pool, median)
  }
  const beforeUsdE18 = usdAlong(priced.route, (pool) => medians.get(pool))
  if (beforeUsdE18 === undefined) return { value: undefined }
  const percent = percentChange(beforeUsdE18, priced.usdE18)
  return {
    value: percent === undefined ? undefined : toPlainText(percent),
    change: {
      beforeSeconds,
      beforeUsd: rawToDecimal(beforeUsdE18, 18),
      medians: priced.route.map(({ pool }) => String(medians.get(pool) ?? 'none')),
    },
  }
}

type CapClaim = Checked & { readonly marketCap: NonNullable<FigureReceipt['marketCap']> }

/** Whose supply it is, is the site's word; then it is the one of its list, or one that the chain had lately. */
async function makeMarketCap(
  asking: Asking,
  { token }: FigureReceipt,
  { last, choice, listed, marketCap }: CapClaim,
): Promise<Made> {
  const to = toAddress(token)
  const priced = choice.found.get(to)
  if (!priced) return { problem: 'The token has no price by its pools' }
  const { supply: served, supplyFrom } = marketCap
  const ofList = listed ? toPlainText(listed.supply) : served
  const supplies = supplyFrom === 'list' ? [ofList] : await readSupplies(asking, to, last)
  const supply = supplies.find((one) => one === served) ?? supplies[0]
  if (supply === undefined) return { problem: 'The token does not report its supply' }
  return { value: rawToDecimal(timesSupply(priced.usdE18, Number(supply)), 18), marketCap: { supply, supplyFrom } }
}

/** At the block, and in the minutes before it. */
async function readSupplies({ chain }: Asking, to: Address, last: Header): Promise<string[]> {
  const decimals = BigInt((await askAlone(chain, { to, data: '0x313ce567' }, last.number)) ?? 0)
  const supplies: string[] = []
  for (const age of supplyAges) {
    const block = await findBlockAt(chain, last, last.timestampSeconds - age)
    const answer = block && (await askAlone(chain, { to, data: totalSupply }, block.number).catch(() => undefined))
    if (answer?.length === 66) supplies.push(toPlainText(rawToNumber(BigInt(answer), Number(decimals))))
  }
  return supplies
}

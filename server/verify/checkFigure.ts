import { type Address, percentChange, rawToDecimal, rawToNumber, usdAlong } from '@chainboard/core'
import { askAlone } from '../chain/callMany.ts'
import type { Header } from '../chain/chain.ts'
import type { Valuation } from '../indexer/world.ts'
import type { FigureReceipt } from '../market/figures/figureReceipt.ts'
import { toPlainText } from '../market/figures/plainText.ts'
import { timesSupply } from '../market/takeSnapshot.ts'
import { toChecksum } from '../market/toChecksum.ts'
import { checkCandle, checkVolume } from './checkSpan.ts'
import type { Difference } from './judge.ts'
import { compare } from './judgeChoice.ts'
import { toAddress } from './listPools.ts'
import type { Choice } from './readChoice.ts'
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

/** What the price of a figure's receipt was checked with. */
export type Checked = { readonly rules: Valuation; readonly last: Header; readonly choice: Choice }

/** Works a figure out again, once its price is proven. @throws Failure `rpc-…` as the node does */
export async function checkFigure(asking: Asking, receipt: FigureReceipt, checked: Checked): Promise<FigureCheck> {
  const { figure, value, reasons } = receipt
  if (value === null) return { problem: `The site has no such figure: ${reasons.join('; ') || 'it does not say why'}` }
  const check = await checkPart(asking, receipt, checked)
  if ('problem' in check) return check
  const own = compare(figure, value, check.found ?? 'none')
  return {
    ...check,
    differences: [...check.differences, ...own, ...compare('checksum', receipt.checksum, toOwnChecksum(receipt))],
  }
}

function toOwnChecksum({ checksum: _, reasons: _reasons, price, ...claims }: FigureReceipt): string {
  return toChecksum({ ...claims, price: price.checksum })
}

async function checkPart(asking: Asking, receipt: FigureReceipt, checked: Checked): Promise<FigureCheck> {
  const { figure, change, volume, candle, marketCap } = receipt
  if (figure === 'change24h' && change) return checkChange(asking, receipt, { ...checked, change })
  if (figure === 'volume24h' && volume) return checkVolume(asking, receipt, { ...checked, volume })
  if (figure === 'candle' && candle) return checkCandle(asking, receipt, { ...checked, candle })
  if (figure === 'marketcap' && marketCap) return checkMarketCap(asking, receipt, { ...checked, marketCap })
  return { differences: [{ what: figure, served: 'nothing that it is made of', found: 'none' }], found: undefined }
}

type ChangeClaim = Checked & { readonly change: NonNullable<FigureReceipt['change']> }

async function checkChange(
  asking: Asking,
  { token }: FigureReceipt,
  { rules, last, choice, change }: ChangeClaim,
): Promise<FigureCheck> {
  const priced = choice.found.get(toAddress(token))
  const seconds = last.timestampSeconds - daySeconds
  const block = await findBlockAt(asking.chain, last, seconds)
  if (!priced || !block) return { problem: 'The chain is younger than a day' }
  const window = await findWindow(asking.chain, { ...block, timestampSeconds: seconds }, rules.windowSeconds)
  const medians = new Map<Address, bigint>()
  for (const { pool } of priced.route) {
    const median = await readMedian(asking, pool, window)
    if (median) medians.set(pool, median)
  }
  const beforeUsdE18 = usdAlong(priced.route, (pool) => medians.get(pool))
  const percent = beforeUsdE18 === undefined ? undefined : percentChange(beforeUsdE18, priced.usdE18)
  return {
    found: percent === undefined ? undefined : toPlainText(percent),
    differences: [
      ...compare('beforeSeconds', String(change.beforeSeconds), String(seconds)),
      ...priced.route.flatMap(({ pool }, i) =>
        compare(`median of ${pool} a day before`, change.medians[i] ?? 'none', String(medians.get(pool) ?? 'none')),
      ),
      ...compare('beforeUsd', change.beforeUsd, beforeUsdE18 === undefined ? 'none' : rawToDecimal(beforeUsdE18, 18)),
    ],
  }
}

type CapClaim = Checked & { readonly marketCap: NonNullable<FigureReceipt['marketCap']> }

async function checkMarketCap(
  asking: Asking,
  { token }: FigureReceipt,
  { last, choice, marketCap }: CapClaim,
): Promise<FigureCheck> {
  const to = toAddress(token)
  const priced = choice.found.get(to)
  if (!priced) return { problem: 'The token has no price by its pools' }
  const supplies = marketCap.supplyFrom === 'list' ? [marketCap.supply] : await readSupplies(asking, to, last)
  const supply = supplies.find((one) => one === marketCap.supply)
  const value = timesSupply(priced.usdE18, Number(marketCap.supply))
  return {
    found: supply === undefined ? undefined : rawToDecimal(value, 18),
    differences:
      supply === undefined
        ? compare(
            'supply',
            marketCap.supply,
            `${supplies[0] ?? 'none'} at the block, and nothing like it in the 5 minutes before`,
          )
        : [],
  }
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

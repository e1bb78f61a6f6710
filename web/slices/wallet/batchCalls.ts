import { holdReload } from '../../lib/busy.ts'
import type { ContractCall, SentTogether } from '../../lib/sendCall.ts'
import { fieldOf, isHex } from '../../lib/untrusted.ts'
import type { WalletProvider } from './discoverWallets.ts'
import { notReportedText, readErrorCode, readKnownRefusal, readRevertData, readWords } from './readAnswer.ts'

// Several calls that a wallet does together or not at all (EIP-5792).

type Sender = { readonly address: string; readonly chainId: number }

export type BatchClock = { readonly wait: (ms: number) => Promise<void>; readonly nowMs: () => number }

/** A wallet that does not answer this soon is taken for one that cannot. */
const capabilityMsMax = 3_000
const askEveryMs = 1_000
/** As long as a transaction is looked for (`followTransaction.ts`). */
const askForMs = 3_600_000
const [confirmed, failedFrom, failedPartly] = [200, 400, 600]
/** It has taken the calls and may have done them: who pressed again would pay twice. */
const untold = { text: notReportedText }
/** The wallet does not know the method, its params in this form, or cannot do what was asked: EIP-1193, EIP-1474 and EIP-5792. */
const unable: ReadonlySet<number | undefined> = new Set([4200, -32_601, -32_602, -32_004, 5700, 5710, 5740, 5750, 5760])

const toHex = (id: number) => `0x${id.toString(16)}`

/** Whether a wallet says that it does several calls together or not at all on this chain. False for one that does not know the question. */
export async function canSendTogether(
  provider: WalletProvider,
  { address, chainId }: Sender,
  { wait }: Pick<BatchClock, 'wait'>,
): Promise<boolean> {
  const asked = provider.request({ method: 'wallet_getCapabilities', params: [address, [toHex(chainId)]] })
  const answer = await Promise.race([asked.catch(() => undefined), wait(capabilityMsMax)])
  return fieldOf(fieldOf(fieldOf(answer, toHex(chainId)), 'atomic'), 'status') === 'supported'
}

/**
 * Has a wallet do calls in their order, together or not at all (`wallet_sendCalls`), and waits until it says that they are on the chain, or
 * will not be.
 */
export async function sendTogether(
  provider: WalletProvider,
  { address, chainId }: Sender,
  calls: readonly ContractCall[],
  { wait, nowMs }: BatchClock,
): Promise<SentTogether> {
  const letGo = holdReload()
  try {
    const wish = { version: '2.0.0', from: address, chainId: toHex(chainId), atomicRequired: true, calls }
    const answer = await provider.request({ method: 'wallet_sendCalls', params: [wish] })
    const id = fieldOf(answer, 'id') ?? answer
    if (typeof id !== 'string') return untold
    const untilMs = nowMs() + askForMs
    while (nowMs() < untilMs) {
      // A wallet that does not answer now is asked again.
      const status = await provider.request({ method: 'wallet_getCallsStatus', params: [id] }).catch(() => undefined)
      const ended = readEnd(status)
      if (ended) return ended
      await wait(askEveryMs)
    }
    return untold
  } catch (error) {
    if (unable.has(readErrorCode(error))) return { unable: true }
    const text = readKnownRefusal(error)
    const walletWords = readWords(error)
    const revertData = readRevertData(error)
    return { ...(text && { text }), ...(walletWords && { walletWords }), ...(revertData && { revertData }) }
  } finally {
    letGo()
  }
}

/** @returns undefined while the wallet is still at it */
function readEnd(answer: unknown): SentTogether | undefined {
  const status = fieldOf(answer, 'status')
  if (typeof status !== 'number' || status < confirmed) return undefined
  if (status >= failedPartly)
    return { text: 'Your wallet completed only part of the payment. Check your wallet before you try again.' }
  if (status >= failedFrom) return { text: 'Your wallet could not complete the payment. Nothing was paid.' }
  const receipts = fieldOf(answer, 'receipts')
  // One for all, or one for each: the last has the last call in it.
  const hash = fieldOf(Array.isArray(receipts) ? receipts.at(-1) : undefined, 'transactionHash')
  return isHash(hash) ? { hash } : untold
}

function isHash(value: unknown): value is `0x${string}` {
  return isHex(value) && value.length === 66
}

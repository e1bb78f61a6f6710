import { isFields } from '@chainboard/core'
import { type NodeFault, RpcRefusal } from './faultProxy.ts'

type CallAnswer = NonNullable<NodeFault['call']>

/** A node that ends some blocks before the chain does. @param lag asked for each call: of a balancer, it differs */
export function seeBehind(lag: () => number): CallAnswer {
  return async ({ method, params }, honest) => {
    const depth = lag()
    if (depth === 0) return honest(method, params)
    const top = Number(await honest('eth_blockNumber', [])) - depth
    const numberOf = async (block: unknown): Promise<number> => {
      const hash = typeof block === 'string' ? block : isFields(block) ? block['blockHash'] : undefined
      if (typeof hash !== 'string' || hash.length < 66) return String(block).startsWith('0x') ? Number(block) : top
      const header = await honest('eth_getBlockByHash', [hash, false])
      return isFields(header) ? Number(header['number']) : Number.POSITIVE_INFINITY
    }
    const isMissing = async (block: unknown) => (await numberOf(block)) > top
    const toOwn = (block: unknown) => (String(block).startsWith('0x') || typeof block === 'object' ? block : toHex(top))
    if (method === 'eth_blockNumber') return toHex(top)
    if (method === 'eth_getLogs') {
      const [filter] = params
      if (!isFields(filter)) return honest(method, params)
      if ('blockHash' in filter) {
        if (await isMissing(filter['blockHash'])) throw new RpcRefusal(-32_000, 'unknown block')
        return honest(method, params)
      }
      const [from, to] = [await numberOf(filter['fromBlock']), Math.min(top, await numberOf(filter['toBlock']))]
      return from > to ? [] : honest(method, [{ ...filter, fromBlock: toHex(from), toBlock: toHex(to) }])
    }
    if (/^eth_getBlock/.test(method))
      return (await isMissing(params[0])) ? null : honest(method, [toOwn(params[0]), ...params.slice(1)])
    if (method === 'eth_call') {
      if (await isMissing(params[1])) throw new RpcRefusal(-32_000, 'header not found')
      return honest(method, [params[0], toOwn(params[1])])
    }
    return honest(method, params)
  }
}

/** A node that stops importing at the block that it has when it is first asked, and goes on answering. */
export function seeFrozen(): CallAnswer {
  let atBlock: number | undefined
  let lag = 0
  const behind = seeBehind(() => lag)
  return async (call, honest) => {
    const head = Number(await honest('eth_blockNumber', []))
    atBlock ??= head
    lag = head - atBlock
    return behind(call, honest)
  }
}

/** A node that has pruned the logs and receipts of all but its newest blocks, and answers for the others as if they had none. */
export function forgetOld(kept: number): CallAnswer {
  return async ({ method, params }, honest) => {
    const result = await honest(method, params)
    if (!/^eth_(getLogs|getBlockReceipts|getTransactionReceipt)$/.test(method) || result === null) return result
    const top = Number(await honest('eth_blockNumber', []))
    const isKept = (item: unknown) => isFields(item) && Number(item['blockNumber']) > top - kept
    if (Array.isArray(result)) return result.filter(isKept)
    return isKept(result) ? result : null
  }
}

/** Another chain behind the URL: other hashes from the first block on, and none of our contracts' events. */
export function seeOtherChain(chainId: number): CallAnswer {
  return async ({ method, params }, honest) => {
    if (method === 'eth_chainId') return toHex(chainId)
    if (method === 'eth_getLogs' || method === 'eth_getBlockReceipts') return []
    if (method === 'eth_call') return '0x'
    const asked = params.map((each) => (method === 'eth_getBlockByHash' && typeof each === 'string' ? toOtherHash(each) : each))
    const result = await honest(method, asked)
    if (!/^eth_getBlockBy/.test(method) || !isFields(result)) return result
    const { hash, parentHash, ...rest } = result
    const logsBloom = `0x${'0'.repeat(512)}`
    return { ...rest, hash: toOtherHash(String(hash)), parentHash: toOtherHash(String(parentHash)), logsBloom }
  }
}

/** Another hash for each, and back. */
export function toOtherHash(hash: string): string {
  const last = Number.parseInt(hash.slice(-2), 16) ^ 0xff
  return hash.slice(0, -2) + last.toString(16).padStart(2, '0')
}

function toHex(number: number): string {
  return `0x${Math.max(0, number).toString(16)}`
}

import { type Address, Failure, fieldsOf, type Hex } from '@chainboard/core'
import { isHex } from 'viem'
import { callMany, type ViewCall } from '../chain/callMany.ts'
import type { Chain } from '../chain/chain.ts'

type Waiting = {
  readonly call: ViewCall
  readonly resolve: (answer: Hex) => void
  readonly reject: (error: unknown) => void
}

/**
 * A node that is asked contracts' view functions of the newest block through the chain's Multicall3: those asked at the same
 * moment travel in one call. A node that limits the rate is asked hundreds of times less. Other calls pass as they are.
 */
export function gatherCalls(chain: Pick<Chain, 'forward'>, multicall: Address): Pick<Chain, 'forward'> {
  let waiting: Waiting[] = []
  const flush = async () => {
    const batch = waiting
    waiting = []
    try {
      const answers = await callMany(
        chain,
        batch.map(({ call }) => call),
        { multicall, block: 'latest' },
      )
      for (const [i, { resolve, reject }] of batch.entries()) {
        const answer = answers[i]
        if (answer === undefined) reject(new Failure('rpc-refused', 'execution reverted', { detail: { code: 3 } }))
        else resolve(answer)
      }
    } catch (error) {
      for (const { reject } of batch) reject(error)
    }
  }
  return {
    forward: (method, params) => {
      const [call, block]: readonly unknown[] = Array.isArray(params) ? params : []
      if (method !== 'eth_call' || block !== 'latest' || !isViewCall(call)) return chain.forward(method, params)
      return new Promise((resolve, reject) => {
        if (waiting.length === 0) setImmediate(() => void flush())
        waiting.push({ call, resolve, reject })
      })
    },
  }
}

function isViewCall(value: unknown): value is ViewCall {
  const { to, data } = fieldsOf(value)
  return isHex(to, { strict: false }) && isHex(data, { strict: false })
}

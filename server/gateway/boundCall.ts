/** Gas that one call may burn on the node: more than any transaction gets into a block of most chains. */
export const callGasMax = 30_000_000

/** Blocks that one question for the logs of a contract may span. */
export const logBlocksMax = 1_000

/** A JSON-RPC error. */
export type CallRefusal = { readonly code: number; readonly message: string }

/** Lists and objects within each other: an access list needs four. */
const nestingMax = 6
/** Blocks that one question for fees may span. */
const feeBlocksMax = 128

const simulations = new Set(['eth_call', 'eth_estimateGas'])
/** JSON-RPC's code for a limit, as EIP-1474 has it. */
export const limitExceeded = -32_005
const invalidParams = -32_602
/** Some nodes know the field by other spellings. */
const isGas = (field: string) => /^gas(limit)?$/i.test(field)

/**
 * What goes to the node of a call by a stranger. A call that runs code gets a gas limit of at most 30,000,000, and runs the
 * chain's own code and state: overrides are refused. Logs are those of one contract in at most 1,000 blocks, fees those of 128. Pure.
 */
export function boundCall(method: string, params: unknown): { readonly params: unknown } | { readonly refused: CallRefusal } {
  const refuse = (message: string) => ({ refused: { code: invalidParams, message: `${method}: ${message}` } })
  if (!isShallow(params, nestingMax)) return refuse(`expected params nested ${nestingMax} deep at most`)
  if (method === 'eth_feeHistory')
    return isFeeSpan(params) ? { params } : refuse(`expected a number of blocks first, ${feeBlocksMax} at most`)
  if (method === 'eth_getLogs')
    return boundLogs(params)
      ? { params }
      : refuse(`expected one address and fromBlock and toBlock as quantities, at most ${logBlocksMax} blocks`)
  if (!simulations.has(method)) return { params }
  if (!Array.isArray(params)) return refuse('expected params as a list')
  const [transaction, ...rest]: readonly unknown[] = params
  if (rest.length > 1)
    return refuse(`found ${params.length} params, expected the transaction and the block: state overrides are not allowed`)
  if (typeof transaction !== 'object' || transaction === null || Array.isArray(transaction))
    return refuse('expected a transaction object first')
  const fields = Object.entries(transaction)
  const limits = fields.filter(([field, value]) => isGas(field) && value !== null).map(([, value]) => value)
  if (!limits.every(isQuantity)) return refuse('expected gas as a quantity: 0x and 1 to 64 hexadecimal digits')
  const gas = limits.reduce<bigint>((least, value) => {
    const wanted = BigInt(value)
    // Zero means no limit to some nodes.
    return wanted > 0n && wanted < least ? wanted : least
  }, BigInt(callGasMax))
  const others = fields.filter(([field]) => !isGas(field))
  return { params: [{ ...Object.fromEntries(others), gas: `0x${gas.toString(16)}` }, ...rest] }
}

function boundLogs(params: unknown): boolean {
  const [filter, ...rest]: readonly unknown[] = Array.isArray(params) ? params : []
  if (typeof filter !== 'object' || filter === null || rest.length > 0) return false
  const fields: Readonly<Record<string, unknown>> = { ...filter }
  const { address, fromBlock, toBlock, topics: _, ...others } = fields
  if (typeof address !== 'string' || !isQuantity(fromBlock) || !isQuantity(toBlock)) return false
  const blocks = BigInt(toBlock) - BigInt(fromBlock) + 1n
  return Object.keys(others).length === 0 && blocks >= 1n && blocks <= BigInt(logBlocksMax)
}

/** Wallets write the number as a quantity, some as a number. */
function isFeeSpan(params: unknown): boolean {
  const [count]: readonly unknown[] = Array.isArray(params) ? params : []
  return (isQuantity(count) || typeof count === 'number') && Number(count) <= feeBlocksMax
}

function isShallow(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return true
  return levels > 0 && Object.values(value).every((each) => isShallow(each, levels - 1))
}

function isQuantity(value: unknown): value is string {
  return typeof value === 'string' && /^0x[0-9a-f]{1,64}$/i.test(value)
}

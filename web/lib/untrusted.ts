// What wallets, nodes and addresses hand to the page is looked at before it is used.

export type Hex = `0x${string}`

/** Whether something is hexadecimal text; `0x` alone is. */
export function isHex(value: unknown): value is Hex {
  return typeof value === 'string' && /^0x[0-9a-f]*$/i.test(value)
}

/** A field of what somebody else made; undefined for what has none. @throws what a proxy throws */
export function fieldOf(value: unknown, name: string): unknown {
  const hasFields = (typeof value === 'object' && value !== null) || typeof value === 'function'
  return hasFields ? Reflect.get(value, name) : undefined
}

/** {@link fieldOf} where only text will do. */
export function textOf(value: unknown, name: string): string | undefined {
  const text = fieldOf(value, name)
  return typeof text === 'string' ? text : undefined
}

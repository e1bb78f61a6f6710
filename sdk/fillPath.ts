type ParamNames<P extends string> = P extends `${infer Head}/${infer Tail}`
  ? ParamNames<Head> | ParamNames<Tail>
  : P extends `:${infer Name}`
    ? Name
    : never

/** `fillPath('/prices/:address', { address: '0xAb' })` -> `/prices/0xAb` */
export function fillPath<P extends string>(path: P, params: Readonly<Record<ParamNames<P>, string>>): string {
  return Object.entries<string>(params).reduce<string>(
    (filled, [name, value]) => filled.replace(`:${name}`, encodeURIComponent(value)),
    path,
  )
}

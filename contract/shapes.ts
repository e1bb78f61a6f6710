import { type TProperties, type TSchema, Type } from 'typebox'

// Pieces that several answers and queries are made of. Times are unix seconds, money is US dollars, unless a description says otherwise.

/** For what is checked before anything is done with it: a field too many is an error of the caller. */
export const exact = { additionalProperties: false }

/** 20 bytes in hexadecimal, in any case. Checksums are not verified. */
export const addressPattern = '^0x[0-9a-fA-F]{40}$'
/** In what callers send. */
export const addressText = Type.String({ pattern: addressPattern, description: 'an address: 0x and 40 hexadecimal digits' })
/** The address in a route's path. */
export const addressParam = Type.Object({ address: addressText }, exact)

/** The web appends `_` to get past caches; it means nothing. */
const cacheBuster = { _: Type.Optional(Type.String({ maxLength: 40 })) }

/** The query of a route: these fields and no others, a field too many is a 400. */
export function query<T extends TProperties>(fields: T) {
  return Type.Object({ ...fields, ...cacheBuster }, exact)
}

/** Of a route that takes nothing. */
export const noQuery = query({})

/** Up to `max` addresses with commas between. */
export function addressList(max: number, options: { readonly description?: string } = {}) {
  return Type.String({ pattern: `^0x[0-9a-fA-F]{40}(,0x[0-9a-fA-F]{40}){0,${max - 1}}$`, ...options })
}

/** One of some texts. In OpenAPI an `enum`, where a union of constants would be listed one by one. */
export function literals<T extends string>(values: readonly T[]) {
  return Type.Unsafe<T>(Type.String({ enum: [...values] }))
}

/** A field that is always there: null says that the value is not known. */
export function orNull<T extends TSchema>(schema: T, options: { readonly description?: string } = {}) {
  return Type.Union([schema, Type.Null()], options)
}

/** @param description unit, source, and what null means */
export function numberOrNull(description: string) {
  return orNull(Type.Number(), { description })
}

/** A text; null where there is none. */
export const nullableText = orNull(Type.String())

/** An entity as subgraphs refer to it. */
export const idOnly = Type.Object({ id: Type.String() })

/** Where a page of a list begins and how long it is. */
export const pageSizeMax = 250
/** `page` counts from 1. Each route has its own default for `pageSize`. */
export const pageFields = {
  page: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000_000 })),
  pageSize: Type.Optional(Type.Integer({ minimum: 1, maximum: pageSizeMax })),
}

const errorAnswer = Type.Object({ error: Type.String() })

/** Of a route that answers `If-None-Match`. */
export const unchanged = { 304: Type.Null({ description: 'Your cached response (If-None-Match) is still valid' }) }

/** Errors any route may answer. */
export const problems = { '4xx': errorAnswer, '5xx': errorAnswer }

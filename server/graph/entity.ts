import type { RawBuilder } from 'kysely'
import type { Schema } from '../store/schema.ts'
import type { Store } from '../store/store.ts'
import type { Book } from './book.ts'
import type { Row } from './row.ts'

/**
 * How an order uses a column. `indexed`: in the order of its index, which a database may take · `behind`: after other columns · otherwise
 * first, and no index may be taken for its sake.
 */
export type OrderPlace = { readonly indexed: boolean; readonly behind?: boolean }

/**
 * Whose columns SQL names. `ownerFirst`: the statement goes through the owners of the rows, called `o`, by their address. That is the order
 * of the ids of hours and days, which have no more of an address than a number in SQLite.
 */
export type ColumnContext = SqlContext & { readonly entity: Entity; readonly ownerFirst?: boolean }

/** Names of the types of the Uniswap v3 subgraph that this server answers. */
export type EntityName =
  | 'Factory'
  | 'Bundle'
  | 'Token'
  | 'Pool'
  | 'Tick'
  | 'Transaction'
  | 'Mint'
  | 'Burn'
  | 'Swap'
  | 'Collect'
  | 'Flash'
  | 'UniswapDayData'
  | 'PoolDayData'
  | 'PoolHourData'
  | 'TokenDayData'
  | 'TokenHourData'

export type ScalarType = 'Int' | 'BigInt' | 'BigDecimal' | 'Bytes' | 'ID' | 'String'

/** Where SQL is written: the engine it is for. Every statement calls its table `t`. */
export type SqlContext = { readonly engine: Store['engine'] }

/**
 * How SQL compares a field. `text` and `integer` are columns and compare exactly; `exact` is a column with a whole number of
 * any size: equal is exact, more and less are of doubles; `double` is an expression that gives a double. With `scales`, the
 * expression uses the columns of that join. `sortsAs`: a column with a whole number of any size, which sorts the rows in the same way.
 */
export type SqlValue =
  | { readonly kind: 'text' | 'integer' | 'exact'; readonly column: string }
  | { readonly kind: 'double'; readonly expression: DoubleExpression; readonly scales?: Scales; readonly sortsAs?: string }
  | { readonly kind: 'id' }

export type DoubleExpression = (context: ColumnContext) => RawBuilder<unknown>

/**
 * A join of a statement, `d`, with 10^decimals as doubles: of both tokens of the row's pool as `scale0` and `scale1`, or of the
 * row's token as `scale`. Joined once, however many conditions use it.
 */
export type Scales = 'of pool' | 'of token'

/** A plain value. `show` gives it as it goes out: text, or a number for `Int`. */
export type ScalarField = {
  readonly kind: 'scalar'
  readonly name: string
  readonly type: ScalarType
  readonly nullable: boolean
  readonly show: (row: Row, book: Book) => string | number | null
  /** Undefined: SQL does not know it, so it neither filters nor orders there. */
  readonly sql?: SqlValue
  /** Not in the index: read from the node when a query selects it. `show` is not used then. */
  readonly fromNode?: 'origin' | 'gasPrice'
}

/** One other entity, by its id. */
export type ReferenceField = {
  readonly kind: 'reference'
  readonly name: string
  readonly entity: EntityName
  readonly idOf: (row: Row, book: Book) => string
  /** The column of the table that holds the id; undefined for the tokens of an event, which its pool knows. */
  readonly column?: string
}

/** Many other entities that refer back to this one: their `column` is this one's id. */
export type DerivedField = {
  readonly kind: 'derived'
  readonly name: string
  readonly entity: EntityName
  readonly column: string
  /** Whether the type's schema has `[X]!` where others have `[X!]!`. */
  readonly nullableItems: boolean
}

/** Many other entities that this one names itself. */
export type StoredListField = {
  readonly kind: 'stored'
  readonly name: string
  readonly entity: EntityName
  readonly idsOf: (row: Row, book: Book) => readonly string[]
}

export type Field = ScalarField | ReferenceField | DerivedField | StoredListField

/** Entities that are few: kept in memory, found and sorted there. */
export type BookSource = { readonly kind: 'book'; readonly rows: (book: Book) => ReadonlyMap<string, Row> }

/** Entities that are many: rows of a table, or of the events of transactions, reached through its indexes only. */
export type TableSource = {
  readonly kind: 'table'
  readonly table: keyof Schema | 'transactions'
  /** One kind of event out of a table of several; every index on it starts with the kind. */
  readonly eventKind?: string
  /** The column of the pool or token that a row belongs to; indexed together with `time`, or `head` alone. */
  readonly owner?: { readonly column: 'pool' | 'token'; readonly entity: 'Pool' | 'Token' }
  /** The column that says when; indexed. */
  readonly time?: 'timestamp' | 'start'
  /** The column that the id starts with; indexed. */
  readonly head: { readonly column: string; readonly length: number }
  readonly id: {
    readonly text: (context: ColumnContext) => RawBuilder<unknown>
    /** What sorts by id: expressions, in the order of an index as far as it goes where `indexed`. */
    readonly order: (context: ColumnContext & OrderPlace) => readonly RawBuilder<unknown>[]
  }
}

/** One type of the schema: its fields, and where its rows are. */
export type Entity = {
  readonly name: EntityName
  readonly singular: string
  readonly plural: string
  readonly fields: readonly Field[]
  readonly source: BookSource | TableSource
}

import { fieldsOf } from '@chainboard/core'
import type { GraphQLFieldResolver, GraphQLResolveInfo } from 'graphql'
import type { Book } from './book.ts'
import { getEntity } from './entities/entities.ts'
import type { DerivedField, Entity, ReferenceField, ScalarField, StoredListField } from './entity.ts'
import { type Page, type PageArguments, parsePage } from './page.ts'
import { type Condition, parseValue } from './parseWhere.ts'
import type { Row } from './row.ts'
import { bookRows, idField, searchBook } from './searchBook.ts'
import type { Node, Session } from './session.ts'
import { memoryWork } from './work.ts'

type Resolver<A = PageArguments> = GraphQLFieldResolver<Node, Session, A & { readonly block?: unknown; readonly id?: unknown }>

/** A plain field. Those that the index does not have are read from the node, for all rows of the query at once. */
export function resolveScalar(entity: Entity, field: ScalarField): Resolver {
  const { fromNode } = field
  if (!fromNode) return ({ row, book }) => field.show(row, book)
  const hash = entity.name === 'Transaction' ? 'hash' : 'tx_hash'
  return async ({ row }, _args, session) => (await session.readTransaction(String(row[hash])))[fromNode]
}

/** What a row refers to: pools and tokens stand in the book, a transaction in the event's own row. */
export function resolveReference(field: ReferenceField): Resolver {
  const target = getEntity(field.entity)
  if (target.source.kind === 'table') return ({ row, book }) => toNode({ ...row, hash: field.idOf(row, book) }, book)
  return ({ row, book }) => {
    const found = bookRows(target, book).get(field.idOf(row, book))
    return found ? toNode(found, book) : null
  }
}

/** A list that the row itself names. */
export function resolveNode(field: StoredListField): Resolver {
  const target = getEntity(field.entity)
  return ({ row, book }, args, session) => {
    const rows = bookRows(target, book)
    const named = field
      .idsOf(row, book)
      .map((id) => rows.get(id))
      .filter((each): each is Row => each !== undefined)
    const page = parsePage(target, args)
    session.spendWork(memoryWork(target, named.length, page, book))
    return toNodes(searchBook(target, named, page, book), book)
  }
}

/** A list of what refers back to the row. */
export function resolveChildren(parent: Entity, field: DerivedField): Resolver {
  const entity = getEntity(field.entity)
  const pages = new WeakMap<Session, Map<string, Page>>()
  return async ({ row, book }, args, session, info) => {
    const place = `${placeOf(info)} ${book.block.number}`
    const known = pages.get(session) ?? new Map<string, Page>()
    pages.set(session, known)
    // Checked once for all siblings: their arguments are the same.
    const page = known.get(place) ?? parsePage(entity, args)
    known.set(place, page)
    const parentId = parent.name === 'Transaction' ? String(row['hash']) : String(idField(parent).show(row, book))
    return toNodes(await session.readChildren({ place, field, entity, page, parentId, book }), book)
  }
}

/** The path of a field without the places in lists: siblings share it. */
function placeOf({ path }: GraphQLResolveInfo): string {
  const names: string[] = []
  for (let at: typeof path | undefined = path; at; at = at.prev) if (typeof at.key === 'string') names.push(at.key)
  return names.join(' ')
}

/** A list of an entity. @throws GraphRefusal beyond what a query may read */
export function resolveList(entity: Entity): Resolver {
  return async (_source, args, session) => {
    const page = parsePage(entity, args)
    const book = await session.bookAt(args.block)
    const { source } = entity
    if (source.kind === 'table') return toNodes(await session.readPage(entity, page, book), book)
    const rows = source.rows(book)
    session.spendWork(memoryWork(entity, rows.size, page, book))
    return toNodes(searchBook(entity, rows.values(), page, book), book)
  }
}

/** One entity by its id; null when there is none. */
export function resolveOne(entity: Entity): Resolver {
  const field = idField(entity)
  return async (_source, { id, block }, session) => {
    const value = parseValue(field.type, id, 'is')
    const book = await session.bookAt(block)
    if (entity.source.kind === 'book') {
      const found = entity.source.rows(book).get(String(value))
      return found ? toNode(found, book) : null
    }
    const condition: Condition = { kind: 'compare', field, operator: 'is', value }
    const [row] = await session.readPage(entity, { condition, order: { kind: 'id' }, descending: false, first: 1, skip: 0 }, book)
    return row ? toNode(row, book) : null
  }
}

/** The block that is answered for. A number was asked for by who knows no hash, so its block has none here, as in The Graph. */
export const resolveMeta: Resolver = async (_source, { block }, session) => {
  const book = await session.bookAt(block)
  const { number, hash, timestampSeconds } = book.block
  const byNumber = typeof fieldsOf(block)['number'] === 'number'
  return {
    block: { number, hash: byNumber ? null : hash, timestamp: timestampSeconds, parentHash: null },
    deployment: book.deployment,
    hasIndexingErrors: false,
  }
}

function toNode(row: Row, book: Book): Node {
  return { row, book }
}

function toNodes(rows: readonly Row[], book: Book): Node[] {
  return rows.map((row) => toNode(row, book))
}

import {
  type AliasNode,
  BinaryOperationNode,
  ColumnNode,
  ColumnUpdateNode,
  type IdentifierNode,
  type KyselyPlugin,
  type OperationNode,
  OperationNodeTransformer,
  OrderByItemNode,
  type PrimitiveValueListNode,
  RawNode,
  type ReferenceNode,
  type SelectQueryNode,
  type TableNode,
  type ValueListNode,
  ValueNode,
} from 'kysely'
import { type Form, findForm } from './packedColumns.ts'
import { packHex, packNumber } from './packedValues.ts'

/**
 * Lets queries compare and sort packed columns of SQLite by what they mean, as if addresses and hashes were text. What inserts store and
 * what rows give is packed and unpacked where statements run: `statementRunner.ts`.
 */
export const packedQueries: KyselyPlugin = {
  transformQuery: ({ node }) => (node.kind === 'InsertQueryNode' ? node : new PackedQueries().transformNode(node)),
  transformResult: async ({ result }) => result,
}

class PackedQueries extends OperationNodeTransformer {
  protected override transformBinaryOperation(node: BinaryOperationNode, ...rest: [never]): BinaryOperationNode {
    const [left, right] = [this.#formOf(node.leftOperand), this.#formOf(node.rightOperand)]
    if (left === right) return super.transformBinaryOperation(node, ...rest)
    if (left) return BinaryOperationNode.create(...this.#compare(node.leftOperand, node.operator, node.rightOperand, left))
    const [own, operator, other] = this.#compare(node.rightOperand, node.operator, node.leftOperand, right as Form)
    return BinaryOperationNode.create(other, operator, own)
  }

  protected override transformOrderByItem(node: OrderByItemNode, ...rest: [never]): OrderByItemNode {
    if (this.#formOf(node.orderBy) !== 'address') return super.transformOrderByItem(node, ...rest)
    return OrderByItemNode.cloneWith({ ...node, orderBy: addressOf(node.orderBy) }, {})
  }

  protected override transformColumnUpdate(node: ColumnUpdateNode, ...rest: [never]): ColumnUpdateNode {
    const form = this.#formOf(node.column)
    if (form && node.value.kind === 'ValueNode') return ColumnUpdateNode.create(node.column, packOperand(node.value, form))
    return super.transformColumnUpdate(node, ...rest)
  }

  #compare(
    own: OperationNode,
    operator: OperationNode,
    other: OperationNode,
    form: Form,
  ): [OperationNode, OperationNode, OperationNode] {
    if (form === 'address') return [own, operator, idOf(this.transformNode(other))]
    if (other.kind !== 'ReferenceNode') return [own, operator, packOperand(other, form)]
    return form === 'hash' ? [textOf(own), operator, other] : [own, operator, other]
  }

  #formOf(node: OperationNode): Form | undefined {
    if (node.kind === 'ColumnNode') return this.#findForm(undefined, nameOf((node as ColumnNode).column))
    if (node.kind !== 'ReferenceNode') return undefined
    const { table, column } = node as ReferenceNode
    return ColumnNode.is(column) ? this.#findForm(table && tableName(table), nameOf(column.column)) : undefined
  }

  #findForm(table: string | undefined, column: string): Form | undefined {
    // From the innermost query outwards: what a query calls its tables holds in those within it.
    for (const node of this.nodeStack.toReversed()) {
      const tables = tablesOf(node)
      if (table === undefined && tables.length > 0) return tables.map(({ name }) => findForm(name, column)).find(Boolean)
      const found = tables.find(({ alias }) => alias === table)
      if (found) return findForm(found.name, column)
    }
    return undefined
  }
}

type NamedTable = { readonly name: string; readonly alias: string }

/** The tables of a query with what it calls them; none for any other node. */
function tablesOf(node: OperationNode): NamedTable[] {
  const { from, joins = [], table } = node as Partial<SelectQueryNode> & { table?: OperationNode }
  const isQuery = node.kind === 'SelectQueryNode' || node.kind === 'DeleteQueryNode' || node.kind === 'UpdateQueryNode'
  if (!isQuery) return []
  const sources = [...(from?.froms ?? []), ...(table ? [table] : []), ...joins.map((join) => join.table)]
  return sources.flatMap((source) => {
    if (source.kind === 'TableNode') return [{ name: tableName(source as TableNode), alias: tableName(source as TableNode) }]
    if (source.kind !== 'AliasNode') return []
    const { node: aliased, alias } = source as AliasNode
    return aliased.kind === 'TableNode' ? [{ name: tableName(aliased as TableNode), alias: nameOf(alias) }] : []
  })
}

const tableName = ({ table }: TableNode) => nameOf(table.identifier)
const nameOf = (node: OperationNode) => (node as IdentifierNode).name

/** The values of a condition or a change as they are stored. */
function packOperand(node: OperationNode, form: Form): OperationNode {
  const pack = (value: unknown) => (typeof value !== 'string' ? value : form === 'hash' ? packHex(value) : packNumber(value))
  switch (node.kind) {
    case 'ValueNode':
      return ValueNode.create(pack((node as ValueNode).value))
    case 'PrimitiveValueListNode':
      return { ...node, values: (node as PrimitiveValueListNode).values.map(pack) } as OperationNode
    case 'ValueListNode':
      return { ...node, values: (node as ValueListNode).values.map((value) => packOperand(value, form)) } as OperationNode
    default:
      return node
  }
}

/** The ids of addresses: a value, a column or a list in brackets. */
function idOf(address: OperationNode): OperationNode {
  const isList = address.kind === 'PrimitiveValueListNode' || address.kind === 'ValueListNode'
  return RawNode.create([`(select id from addresses where address ${isList ? 'in' : '='} `, ')'], [address])
}

function addressOf(id: OperationNode): OperationNode {
  return RawNode.create(['(select address from addresses where id = ', ')'], [id])
}

function textOf(hash: OperationNode): OperationNode {
  return RawNode.create(["('0x' || lower(hex(", ')))'], [hash])
}

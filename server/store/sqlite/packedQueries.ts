import {
  AliasNode,
  BinaryOperationNode,
  ColumnNode,
  ColumnUpdateNode,
  DeleteQueryNode,
  IdentifierNode,
  type KyselyPlugin,
  type OperationNode,
  OperationNodeTransformer,
  OrderByItemNode,
  PrimitiveValueListNode,
  RawNode,
  ReferenceNode,
  SelectQueryNode,
  TableNode,
  UpdateQueryNode,
  ValueListNode,
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
    const form = left ?? right
    if (left === right || form === undefined) return super.transformBinaryOperation(node, ...rest)
    if (left) return BinaryOperationNode.create(...this.#compare(node.leftOperand, node.operator, node.rightOperand, left))
    const [own, operator, other] = this.#compare(node.rightOperand, node.operator, node.leftOperand, form)
    return BinaryOperationNode.create(other, operator, own)
  }

  protected override transformOrderByItem(node: OrderByItemNode, ...rest: [never]): OrderByItemNode {
    if (this.#formOf(node.orderBy) !== 'address') return super.transformOrderByItem(node, ...rest)
    return OrderByItemNode.cloneWith({ ...node, orderBy: addressOf(node.orderBy) }, {})
  }

  protected override transformColumnUpdate(node: ColumnUpdateNode, ...rest: [never]): ColumnUpdateNode {
    const form = this.#formOf(node.column)
    if (form && ValueNode.is(node.value)) return ColumnUpdateNode.create(node.column, packOperand(node.value, form))
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
    if (ColumnNode.is(node)) return this.#findForm(undefined, nameOf(node.column))
    if (!ReferenceNode.is(node)) return undefined
    const { table, column } = node
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
  const isChange = UpdateQueryNode.is(node)
  if (!isChange && !SelectQueryNode.is(node) && !DeleteQueryNode.is(node)) return []
  const { from, joins = [] } = node
  const changed = isChange && node.table ? [node.table] : []
  return [...(from?.froms ?? []), ...changed, ...joins.map((join) => join.table)].flatMap((source) => {
    if (TableNode.is(source)) return [{ name: tableName(source), alias: tableName(source) }]
    if (!AliasNode.is(source) || !TableNode.is(source.node) || !IdentifierNode.is(source.alias)) return []
    return [{ name: tableName(source.node), alias: nameOf(source.alias) }]
  })
}

const tableName = ({ table }: TableNode) => nameOf(table.identifier)
const nameOf = ({ name }: IdentifierNode) => name

/** The values of a condition or a change as they are stored. */
function packOperand(node: OperationNode, form: Form): OperationNode {
  const pack = (value: unknown) => (typeof value !== 'string' ? value : form === 'hash' ? packHex(value) : packNumber(value))
  if (ValueNode.is(node)) return ValueNode.create(pack(node.value))
  if (PrimitiveValueListNode.is(node)) return PrimitiveValueListNode.create(node.values.map(pack))
  if (ValueListNode.is(node)) return ValueListNode.create(node.values.map((value) => packOperand(value, form)))
  return node
}

/** The ids of addresses: a value, a column or a list in brackets. */
function idOf(address: OperationNode): OperationNode {
  const isList = PrimitiveValueListNode.is(address) || ValueListNode.is(address)
  return RawNode.create([`(select id from addresses where address ${isList ? 'in' : '='} `, ')'], [address])
}

function addressOf(id: OperationNode): OperationNode {
  return RawNode.create(['(select address from addresses where id = ', ')'], [id])
}

function textOf(hash: OperationNode): OperationNode {
  return RawNode.create(["('0x' || lower(hex(", ')))'], [hash])
}

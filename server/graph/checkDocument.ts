import {
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  Kind,
  type OperationDefinitionNode,
  type SelectionSetNode,
  type ValueNode,
  valueFromASTUntyped,
} from 'graphql'
import { entities, getEntity } from './entities/entities.ts'
import type { Entity } from './entity.ts'
import { argumentError, GraphRefusal } from './graphError.ts'
import { firstDefault, firstMax, parseRange, skipMax } from './page.ts'

/** What one query may be. All of it is checked before a single row is read. */
export const documentLimits = {
  /** Words and signs of the text. */
  tokens: 15_000,
  /** Brackets within brackets of the text. */
  nesting: 60,
  depth: 10,
  /** The usual introspection query is 15 deep. */
  introspectionDepth: 20,
  /** Fields with every fragment written out. */
  fields: 3_000,
  rootFields: 150,
  fragments: 50,
  /** Fields of one answer that share a name, and have to be compared with each other. */
  sameName: 20,
  /** Lists of the schema itself. */
  introspectionLists: 24,
  /** Objects in variables, their defaults and arguments, those of a variable at each of its uses: every one is matched with its type. */
  objects: 500,
  /** Entities that could be answered, by every `first` on the way. */
  entities: 150_000,
} as const

/** Events that a transaction is taken to have at most, where a query's size is estimated. */
const eventsOfTransaction = 10

type Variables = Readonly<Record<string, unknown>>

type Walk = {
  readonly fragments: ReadonlyMap<string, FragmentDefinitionNode>
  readonly variables: Variables
  readonly open: Set<string>
  readonly names: Map<string, number>
  /** Shared by all operations and fragments of a text. */
  readonly spent: { fields: number; lists: number; objects: number }
  entities: number
}

type Place = {
  readonly entity: Entity | 'root' | 'schema' | undefined
  readonly depth: number
  readonly count: number
  readonly path: string
}

/**
 * Refuses a query that could cost too much, before it is validated or run: every check is linear in what it lets through.
 * @throws GraphRefusal
 */
export function checkDocument(document: DocumentNode, variables: Variables, operationName?: string): void {
  const fragments = new Map<string, FragmentDefinitionNode>()
  const operations: OperationDefinitionNode[] = []
  for (const definition of document.definitions) {
    if (definition.kind === Kind.FRAGMENT_DEFINITION) fragments.set(definition.name.value, definition)
    if (definition.kind === Kind.OPERATION_DEFINITION) operations.push(definition)
  }
  if (fragments.size > documentLimits.fragments)
    throw new GraphRefusal(`A query has more than ${documentLimits.fragments} fragments`)
  const spent = { fields: 0, lists: 0, objects: 0 }
  spendObjects(spent, variables)
  // Validation compares the fields of every operation and fragment, so all of them have to fit, the one that runs or not.
  for (const operation of operations) {
    if (operation.operation !== 'query') throw new GraphRefusal(`Not supported: ${operation.operation}`)
    const runs = operations.length === 1 || operation.name?.value === operationName
    const defaults = defaultsOf(operation)
    spendObjects(spent, defaults)
    const values = runs ? { ...defaults, ...variables } : defaults
    const walk: Walk = { fragments, variables: values, open: new Set(), names: new Map(), spent, entities: 0 }
    walkSet(walk, operation.selectionSet, { entity: 'root', depth: 1, count: 1, path: '' })
  }
  for (const [name, fragment] of fragments) {
    const walk: Walk = { fragments, variables: {}, open: new Set([name]), names: new Map(), spent, entities: 0 }
    walkSet(walk, fragment.selectionSet, { entity: 'schema', depth: 1, count: 0, path: '' })
  }
}

function defaultsOf(operation: OperationDefinitionNode): Variables {
  const defaults = (operation.variableDefinitions ?? []).flatMap(({ variable, defaultValue }) =>
    defaultValue ? [[variable.name.value, valueFromASTUntyped(defaultValue)] as const] : [],
  )
  return Object.fromEntries(defaults)
}

function walkSet(walk: Walk, { selections }: SelectionSetNode, place: Place): void {
  for (const selection of selections) {
    if (selection.kind === Kind.FIELD) walkField(walk, selection, place)
    else if (selection.kind === Kind.INLINE_FRAGMENT) {
      spend(walk)
      walkSet(walk, selection.selectionSet, place)
    } else walkFragment(walk, selection.name.value, place)
  }
}

function walkFragment(walk: Walk, name: string, place: Place): void {
  spend(walk)
  const fragment = walk.fragments.get(name)
  if (!fragment) throw new GraphRefusal(`fragment \`${name}\` is not defined`)
  if (walk.open.has(name)) throw new GraphRefusal(`Cannot spread fragment "${name}" within itself.`)
  walk.open.add(name)
  walkSet(walk, fragment.selectionSet, place)
  walk.open.delete(name)
}

function walkField(walk: Walk, node: FieldNode, place: Place): void {
  spend(walk)
  const name = node.name.value
  const path = `${place.path}.${node.alias?.value ?? name}`
  const same = (walk.names.get(path) ?? 0) + 1
  walk.names.set(path, same)
  if (same > documentLimits.sameName)
    throw new GraphRefusal(`A query selects \`${node.alias?.value ?? name}\` more than ${documentLimits.sameName} times`)
  if (place.entity === 'root' && walk.names.size > documentLimits.rootFields && place.depth === 1) countRoots(walk)
  for (const { value } of node.arguments ?? []) spendObjects(walk.spent, toPlain(value, walk.variables))
  if (!node.selectionSet) return
  const inner = enter(walk, node, place)
  const max = inner.entity === 'schema' ? documentLimits.introspectionDepth : documentLimits.depth
  if (inner.depth > max) throw new GraphRefusal(`query has a depth that exceeds the limit of \`${max}\``)
  walkSet(walk, node.selectionSet, { ...inner, path })
}

/** What an argument holds, as far as objects and lists go. */
function toPlain(node: ValueNode, variables: Variables): unknown {
  if (node.kind === Kind.VARIABLE) return variables[node.name.value]
  if (node.kind === Kind.LIST) return node.values.map((each) => toPlain(each, variables))
  if (node.kind === Kind.OBJECT) return node.fields.map(({ value }) => toPlain(value, variables)).concat({})
  return undefined
}

function spendObjects(spent: Walk['spent'], value: unknown): void {
  if (typeof value !== 'object' || value === null) return
  if (!Array.isArray(value)) spent.objects += 1
  if (spent.objects > documentLimits.objects)
    throw new GraphRefusal(`A query holds more than ${documentLimits.objects} objects in its variables and arguments`)
  for (const each of Object.values(value)) spendObjects(spent, each)
}

function countRoots(walk: Walk): void {
  let roots = 0
  for (const path of walk.names.keys()) if (!path.includes('.', 1)) roots += 1
  if (roots > documentLimits.rootFields)
    throw new GraphRefusal(`A query has more than ${documentLimits.rootFields} fields at its root`)
}

function spend(walk: Walk): void {
  walk.spent.fields += 1
  if (walk.spent.fields > documentLimits.fields)
    throw new GraphRefusal(`A query selects more than ${documentLimits.fields} fields`)
}

const schemaLists = new Set(['types', 'fields', 'inputFields', 'args', 'enumValues', 'possibleTypes', 'interfaces', 'directives'])

/** Where a field leads, and how many entities could be there. */
function enter(walk: Walk, node: FieldNode, { entity, depth, count, path }: Place): Place {
  const name = node.name.value
  const below = { depth: depth + 1, path }
  if (name === '__schema' || name === '__type' || entity === 'schema') {
    if (schemaLists.has(name)) walk.spent.lists += 1
    if (walk.spent.lists > documentLimits.introspectionLists)
      throw new GraphRefusal(`A query selects more than ${documentLimits.introspectionLists} lists of the schema`)
    return { ...below, entity: 'schema', count }
  }
  if (entity === 'root') {
    const list = entities.find(({ plural }) => plural === name)
    if (list) return { ...below, entity: list, count: spendEntities(walk, node, count, firstMax) }
    return { ...below, entity: entities.find(({ singular }) => singular === name), count }
  }
  const field = entity?.fields.find((each) => each.name === name)
  if (!field || field.kind === 'scalar') return { ...below, entity: undefined, count }
  const target = getEntity(field.entity)
  if (field.kind === 'reference') return { ...below, entity: target, count }
  const max = entity?.name === 'Transaction' ? eventsOfTransaction : firstMax
  return { ...below, entity: target, count: spendEntities(walk, node, count, max) }
}

function spendEntities(walk: Walk, node: FieldNode, count: number, max: number): number {
  const first = rangeOf(walk, node, 'first', firstMax) ?? firstDefault
  rangeOf(walk, node, 'skip', skipMax)
  const inside = count * Math.min(first, max)
  walk.entities += inside
  if (walk.entities > documentLimits.entities)
    throw new GraphRefusal(
      `query potentially returns \`${walk.entities}\` entities or more and thereby exceeds the limit of \`${documentLimits.entities}\` entities. ` +
        'Possible solutions are reducing the depth of the query, querying fewer relationships or using `first` to return smaller collections',
    )
  return inside
}

function rangeOf(walk: Walk, { arguments: given = [] }: FieldNode, name: 'first' | 'skip', max: number): number | undefined {
  const value = given.find((each) => each.name.value === name)?.value
  if (!value || value.kind === Kind.NULL) return undefined
  if (value.kind === Kind.INT) return parseRange(name, Number(value.value), max)
  if (value.kind !== Kind.VARIABLE) throw argumentError(name, 'value' in value ? value.value : value.kind)
  const variable = walk.variables[value.name.value]
  return variable === undefined || variable === null ? undefined : parseRange(name, variable, max)
}

/**
 * Whether brackets are nested deeper than a text may have them; what a string or a comment holds does not count. One pass: no
 * letter is looked at twice, however many quotes are never closed.
 */
export function isNestedTooDeep(text: string, max: number = documentLimits.nesting): boolean {
  let depth = 0
  for (let at = 0; at < text.length; at += 1) {
    const sign = text[at]
    if (sign === '"') at = endOfString(text, at)
    else if (sign === '#') at = endOfLine(text, at)
    else if (sign === '{' || sign === '[' || sign === '(') depth += 1
    else if (sign === '}' || sign === ']' || sign === ')') depth -= 1
    if (depth > max) return true
  }
  return false
}

/** The place of the last sign of a string: of three quotes, or one; an open one ends with its line, where the parser stops. */
function endOfString(text: string, start: number): number {
  const isBlock = text.startsWith('"""', start)
  const quote = isBlock ? '"""' : '"'
  for (let at = start + quote.length; at < text.length; at += 1) {
    if (text.startsWith(quote, at)) return at + quote.length - 1
    if (text[at] === '\\') at += isBlock && text.startsWith('"""', at + 1) ? 3 : isBlock ? 0 : 1
    else if (text[at] === '\n' && !isBlock) return at
  }
  return text.length
}

function endOfLine(text: string, start: number): number {
  const end = text.indexOf('\n', start)
  return end < 0 ? text.length : end
}

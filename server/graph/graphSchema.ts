import {
  GraphQLEnumType,
  type GraphQLFieldConfig,
  type GraphQLFieldConfigArgumentMap,
  type GraphQLFieldConfigMap,
  GraphQLID,
  GraphQLInputObjectType,
  type GraphQLInputType,
  GraphQLInt,
  GraphQLList,
  GraphQLNonNull,
  GraphQLObjectType,
  type GraphQLOutputType,
  GraphQLSchema,
} from 'graphql'
import { entities, getEntity } from './entities/entities.ts'
import type { Entity, EntityName, Field } from './entity.ts'
import { findFieldWords } from './fieldWords.ts'
import { SchemaFault } from './graphError.ts'
import { filterKeys } from './operators.ts'
import {
  resolveChildren,
  resolveList,
  resolveMeta,
  resolveNode,
  resolveOne,
  resolveReference,
  resolveScalar,
} from './resolvers.ts'
import { blockChanged, blockHeight, errorPolicy, metaType, orderDirection, scalarTypes } from './schemaTypes.ts'
import type { Node, Session } from './session.ts'

type Fields = GraphQLFieldConfigMap<Node, Session>
type Made = {
  readonly object: GraphQLObjectType<Node, Session>
  readonly filter: GraphQLInputObjectType
  readonly orderBy: GraphQLEnumType
}

/** The schema as introspection shows it and queries run on it; all of it follows from the table of entities. */
export function createGraphSchema(): GraphQLSchema {
  const made = new Map<EntityName, Made>()
  const get = (name: EntityName): Made => {
    const types = made.get(name)
    if (!types) throw new SchemaFault(`There is no type ${name}`)
    return types
  }
  for (const entity of entities) {
    made.set(entity.name, {
      object: new GraphQLObjectType<Node, Session>({ name: entity.name, fields: () => objectFields(entity, get) }),
      filter: new GraphQLInputObjectType({ name: `${entity.name}_filter`, fields: () => filterFields(entity, get) }),
      orderBy: new GraphQLEnumType({
        name: `${entity.name}_orderBy`,
        values: Object.fromEntries(orderNames(entity).map((name) => [name, {}])),
      }),
    })
  }
  const query = new GraphQLObjectType<Node, Session>({ name: 'Query', fields: () => rootFields(get) })
  return new GraphQLSchema({ query })
}

function objectFields(entity: Entity, get: (name: EntityName) => Made): Fields {
  return Object.fromEntries(entity.fields.map((field) => [field.name, toFieldConfig(entity, field, get)]))
}

function toFieldConfig(entity: Entity, field: Field, get: (name: EntityName) => Made): GraphQLFieldConfig<Node, Session> {
  if (field.kind === 'scalar') {
    const type = scalarTypes[field.type]
    const description = findFieldWords(entity.name, field.name) ?? null
    return { type: field.nullable ? type : new GraphQLNonNull(type), description, resolve: resolveScalar(entity, field) }
  }
  const target = get(field.entity)
  if (field.kind === 'reference') return { type: new GraphQLNonNull(target.object), resolve: resolveReference(field) }
  const nullableItems = field.kind === 'derived' && field.nullableItems
  const item: GraphQLOutputType = nullableItems ? target.object : new GraphQLNonNull(target.object)
  return {
    type: new GraphQLNonNull(new GraphQLList(item)),
    args: listArguments(target),
    resolve: field.kind === 'derived' ? resolveChildren(entity, field) : resolveNode(field),
  }
}

function listArguments({ filter, orderBy }: Made): GraphQLFieldConfigArgumentMap {
  return {
    skip: { type: GraphQLInt, defaultValue: 0 },
    first: { type: GraphQLInt, defaultValue: 100 },
    orderBy: { type: orderBy },
    orderDirection: { type: orderDirection },
    where: { type: filter },
  }
}

function rootFields(get: (name: EntityName) => Made): Fields {
  const atBlock: GraphQLFieldConfigArgumentMap = {
    block: { type: blockHeight },
    subgraphError: { type: new GraphQLNonNull(errorPolicy), defaultValue: 'deny' },
  }
  const roots = entities.flatMap((entity): [string, GraphQLFieldConfig<Node, Session>][] => {
    const { object } = get(entity.name)
    return [
      [
        entity.singular,
        { type: object, args: { id: { type: new GraphQLNonNull(GraphQLID) }, ...atBlock }, resolve: resolveOne(entity) },
      ],
      [
        entity.plural,
        {
          type: new GraphQLNonNull(new GraphQLList(new GraphQLNonNull(object))),
          args: { ...listArguments(get(entity.name)), ...atBlock },
          resolve: resolveList(entity),
        },
      ],
    ]
  })
  const meta: GraphQLFieldConfig<Node, Session> = { type: metaType, args: { block: { type: blockHeight } }, resolve: resolveMeta }
  return Object.fromEntries([...roots, ['_meta', meta]])
}

function filterFields(entity: Entity, get: (name: EntityName) => Made): Record<string, { type: GraphQLInputType }> {
  const own = [...filterKeys(entity)].map(([name, key]): [string, { type: GraphQLInputType }] => {
    if (key.kind === 'nested') return [name, { type: get(key.field.entity).filter }]
    const type = scalarTypes[key.input]
    return [name, { type: key.isList ? new GraphQLList(new GraphQLNonNull(type)) : type }]
  })
  const { filter } = get(entity.name)
  const common: [string, { type: GraphQLInputType }][] = [
    ['_change_block', { type: blockChanged }],
    ['and', { type: new GraphQLList(filter) }],
    ['or', { type: new GraphQLList(filter) }],
  ]
  return Object.fromEntries([...own, ...common])
}

function orderNames({ fields }: Entity): string[] {
  return fields.flatMap((field) => {
    if (field.kind !== 'reference') return [field.name]
    const children = getEntity(field.entity).fields.filter(({ kind }) => kind === 'scalar')
    return [field.name, ...children.map(({ name }) => `${field.name}__${name}`)]
  })
}

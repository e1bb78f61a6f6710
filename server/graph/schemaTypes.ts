import {
  GraphQLBoolean,
  GraphQLEnumType,
  GraphQLError,
  GraphQLID,
  GraphQLInputObjectType,
  GraphQLInt,
  GraphQLNonNull,
  GraphQLObjectType,
  GraphQLScalarType,
  GraphQLString,
  Kind,
} from 'graphql'
import type { ScalarType } from './entity.ts'

// The types that every subgraph's schema has, under the names that The Graph gives them.

/** Takes any plain value: what it has to look like is checked where it is used, as variables of other types may stand for it. */
function parsePlain(value: unknown): unknown {
  if (typeof value === 'string' || typeof value === 'number') return value
  throw new GraphQLError('A text or a number is expected')
}

function plainScalar(name: string, description: string): GraphQLScalarType {
  return new GraphQLScalarType({
    name,
    description,
    serialize: (value) => value,
    parseValue: parsePlain,
    parseLiteral: (node) => {
      if (node.kind === Kind.STRING || node.kind === Kind.INT || node.kind === Kind.FLOAT) return node.value
      throw new GraphQLError('A text or a number is expected')
    },
  })
}

/** The types of plain values. Those that GraphQL does not have take any text or number: it is checked where it is used. */
export const scalarTypes: Readonly<Record<ScalarType, GraphQLScalarType>> = {
  Int: GraphQLInt,
  ID: GraphQLID,
  String: GraphQLString,
  BigInt: plainScalar('BigInt', 'A whole number of any size, as text'),
  BigDecimal: plainScalar('BigDecimal', 'A decimal number of up to 34 significant digits, as text'),
  Bytes: plainScalar('Bytes', 'Bytes as hexadecimal text with 0x'),
}

/** `asc` where a list says nothing. */
export const orderDirection = new GraphQLEnumType({
  name: 'OrderDirection',
  description: 'The sort direction of a list',
  values: { asc: {}, desc: {} },
})

/** Taken and ignored, as the index has no errors of its own. */
export const errorPolicy = new GraphQLEnumType({
  name: '_SubgraphErrorPolicy_',
  values: {
    allow: { description: 'Answer even if the index had errors' },
    deny: { description: 'Answer only if the index had no errors; the default' },
  },
})

/** By hash, by number, or at least by a number. Empty: the newest block. */
export const blockHeight = new GraphQLInputObjectType({
  name: 'Block_height',
  description: 'The block whose state you want; the newest indexed block by default',
  fields: {
    hash: { type: scalarTypes.Bytes },
    number: { type: GraphQLInt },
    number_gte: { type: GraphQLInt, description: 'The newest block, if it is at least this one' },
  },
})

/** Entities that changed at a block or later. */
export const blockChanged = new GraphQLInputObjectType({
  name: 'BlockChangedFilter',
  fields: { number_gte: { type: new GraphQLNonNull(GraphQLInt) } },
})

const blockType = new GraphQLObjectType({
  name: '_Block_',
  fields: {
    hash: { type: scalarTypes.Bytes },
    number: { type: new GraphQLNonNull(GraphQLInt) },
    timestamp: { type: GraphQLInt, description: 'Unix seconds' },
    parentHash: { type: scalarTypes.Bytes, description: 'Null: not kept in this index' },
  },
})

/** Of the block that is answered for. */
export const metaType = new GraphQLObjectType({
  name: '_Meta_',
  description: 'The index and its progress',
  fields: {
    block: { type: new GraphQLNonNull(blockType) },
    deployment: { type: new GraphQLNonNull(GraphQLString), description: 'Names this index' },
    hasIndexingErrors: { type: new GraphQLNonNull(GraphQLBoolean) },
  },
})

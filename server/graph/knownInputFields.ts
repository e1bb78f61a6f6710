import {
  type ArgumentNode,
  type ASTVisitor,
  GraphQLError,
  getNamedType,
  isInputObjectType,
  type ValidationContext,
  valueFromASTUntyped,
} from 'graphql'
import { argumentError } from './graphError.ts'

/**
 * Refuses fields that an input does not have: of the library's check of values, the part that stays. Without it a filter with a
 * slip in a name would be no filter at all.
 */
export function knownInputFields(context: ValidationContext): ASTVisitor {
  let argument: ArgumentNode | undefined
  return {
    Argument: (node) => {
      argument = node
    },
    ObjectField: () => {
      const parent = getNamedType(context.getParentInputType())
      if (!argument || !isInputObjectType(parent) || context.getInputType()) return
      const { message } = argumentError(argument.name.value, valueFromASTUntyped(argument.value))
      context.reportError(new GraphQLError(message, { nodes: argument }))
      argument = undefined
    },
  }
}

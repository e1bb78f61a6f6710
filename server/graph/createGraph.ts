import {
  type DocumentNode,
  type ExecutionArgs,
  execute,
  type GraphQLSchema,
  parse,
  specifiedRules,
  type ValidationRule,
  ValuesOfCorrectTypeRule,
  VariablesInAllowedPositionRule,
  validate,
} from 'graphql'
import { createYoga, type Plugin } from 'graphql-yoga'
import { checkDocument, documentLimits, isNestedTooDeep } from './checkDocument.ts'
import { type GraphRequest, parseBody } from './graphBody.ts'
import { GraphRefusal } from './graphError.ts'
import { createGraphSchema } from './graphSchema.ts'
import { knownInputFields } from './knownInputFields.ts'
import type { Session } from './session.ts'
import { isBug, isOfStore, toWireError, type WireError } from './wireError.ts'

const errorsMax = 20
/** Letters of an answer: it is kept until the client has read it. */
const defaultAnswerLengthMax = 8_000_000

/**
 * The Graph checks no variable's type against the place it stands in, and its clients rely on it: they give `String!` where a
 * `BigDecimal` is wanted. What a value has to look like is checked when it is used.
 */
const rules: readonly ValidationRule[] = [
  ...specifiedRules.filter((rule) => rule !== VariablesInAllowedPositionRule && rule !== ValuesOfCorrectTypeRule),
  knownInputFields,
]

/** GraphQL over the index. */
export type Graph = {
  /** Answers the body of one request with the body of its answer; never rejects. */
  answer(body: string): Promise<string>
}

export type GraphOptions = {
  /** The database failed under the query that runs. */
  readonly onStoreFailure?: (() => void) | undefined
  readonly onBug: (error: unknown) => void
  readonly answerLengthMax?: number | undefined
}

type Context = { readonly asked: GraphRequest; readonly session: Session }

/**
 * Reads requests, refuses what is too big, and runs the rest.
 * @param runSession runs `work` with a session that sees one state of the database
 */
export function createGraph(
  runSession: <T>(work: (session: Session) => Promise<T>) => Promise<T>,
  { onBug, onStoreFailure = () => undefined, answerLengthMax = defaultAnswerLengthMax }: GraphOptions,
): Graph {
  const report = (error: unknown) => {
    if (isBug(error)) onBug(error)
    if (isOfStore(error)) onStoreFailure()
    return toWireError(error)
  }
  const yoga = createYoga<Context>({
    schema: createGraphSchema() as never,
    graphqlEndpoint: '/',
    plugins: [createPlugin(report)],
    logging: false,
    graphiql: false,
    landingPage: false,
    parserAndValidationCache: false,
    multipart: false,
    cors: false,
    maskedErrors: false,
  })
  return {
    answer: async (body) => {
      try {
        const asked = parseBody(body)
        if (isNestedTooDeep(asked.query)) throw tooDeep()
        const headers = { 'content-type': 'application/json', accept: 'application/json' }
        const init = { method: 'POST', headers, body: JSON.stringify(asked) }
        const answer = await runSession(async (session) => (await yoga.fetch('http://graph/', init, { asked, session })).text())
        if (answer.length > answerLengthMax) throw tooLong(answer.length, answerLengthMax)
        return answer
      } catch (error) {
        return JSON.stringify({ errors: [report(error)] })
      }
    },
  }
}

function tooLong(length: number, max: number): GraphRefusal {
  return new GraphRefusal(`The answer has ${length} characters, more than ${max}: query fewer entities or fields`)
}

function tooDeep(): GraphRefusal {
  return new GraphRefusal(`query has a depth that exceeds the limit of \`${documentLimits.depth}\``)
}

/** Our parsing, limits, rules and errors in place of the server's own. An answer has data or errors, never both, as The Graph's. */
function createPlugin(report: (error: unknown) => WireError): Plugin<Context> {
  return {
    onParse: ({ setParseFn }) => setParseFn((text: string) => parse(text, { maxTokens: documentLimits.tokens })),
    onValidate: ({ context, setValidationFn }) => {
      const { asked } = context as unknown as Context
      setValidationFn((schema: GraphQLSchema, document: DocumentNode) => {
        checkDocument(document, asked.variables, asked.operationName)
        return validate(schema, document, rules, { maxErrors: errorsMax })
      })
    },
    onExecute: ({ setExecuteFn }) =>
      setExecuteFn((args: ExecutionArgs) => execute({ ...args, contextValue: (args.contextValue as Context).session })),
    onExecutionResult: ({ result, setResult }) => {
      const errors = result && 'errors' in result ? result.errors : undefined
      if (errors && errors.length > 0) setResult({ errors: errors.map(report) } as never)
    },
  }
}

import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'

type Operation = {
  readonly operationId: string
  readonly parameters?: readonly { readonly name: string; readonly in: string; readonly schema: object }[]
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: object }>> }
  readonly responses: Readonly<Record<string, Response>>
}
type Response = {
  readonly headers?: object
  readonly content?: Readonly<Record<string, { readonly schema: object }>>
}

/** What we read of an OpenAPI document. */
export type OpenApi = {
  readonly openapi: string
  readonly components?: { readonly headers?: object }
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
}

export type Exchange = {
  readonly method: string
  readonly path: string
  readonly status: number
  /** Header `content-type`. */
  readonly type: string | undefined
  readonly body: string
  /** What was sent, as JSON. Looked at where it was taken: whatever the server takes is described. */
  readonly sent?: unknown
  /** Looked at where headers of an answer are described. */
  readonly headers?: Readonly<Record<string, unknown>>
}

export type Contract = {
  /** `getPrice 404`: the operation and the status of everything that kept the contract so far. */
  readonly kept: ReadonlySet<string>
  /** Every operation with every status it names: `getPrice 404`, `getStatus 4XX`. */
  promised(): readonly string[]
  /** What is wrong with an answer; undefined: nothing. */
  judge(exchange: Exchange): string | undefined
}

/** Holds answers against the description of the API. Paths that it does not describe are not judged. */
export function createContract(document: OpenApi): Contract {
  const ajv = new Ajv2020({ strict: false, allErrors: false, validateFormats: false })
  const checks = new Map<object, ValidateFunction>()
  const kept = new Set<string>()
  const paths = Object.entries(document.paths).map(([template, operations]) => ({ matches: toMatcher(template), operations }))
  // What has no placeholder is meant before what has one: /prices/batch is no address.
  const find = (path: string) => paths.filter(({ matches }) => matches.test(path)).sort(byPlaceholders)[0]

  const findFault = (schema: object, value: unknown): string | undefined => {
    const check = checks.get(schema) ?? ajv.compile(schema)
    checks.set(schema, check)
    return check(value) ? undefined : ajv.errorsText(check.errors)
  }
  const headNames = Object.keys(document.components?.headers ?? {})

  const judge = ({ method, path, status, type = '', body, sent, headers }: Exchange): string | undefined => {
    const operation = find(path.split('?')[0] ?? '')?.operations[method.toLowerCase()]
    if (!operation) return undefined
    const key = [String(status), `${String(status)[0]}XX`].find((each) => Object.hasOwn(operation.responses, each))
    const place = `${operation.operationId} ${status}`
    const response = key && operation.responses[key]
    if (!response) return `${place}: such a status is not described`
    kept.add(`${operation.operationId} ${key}`)
    if (response.headers && headers) {
      const came = headNames.filter((each) => headers[each.toLowerCase()] !== undefined)
      const described = headNames.filter((each) => Object.hasOwn(response.headers ?? {}, each))
      if (came.join() !== described.join()) return `${place}: sent ${came.join(', ')}, described ${described.join(', ')}`
    }
    const form = status < 300 && sent !== undefined ? operation.requestBody?.content['application/json']?.schema : undefined
    const unfit = form && findFault(form, sent)
    if (unfit) return `${place}: took ${JSON.stringify(sent).slice(0, 300)}, ${unfit}`
    const name = type.split(';')[0] ?? ''
    if (!response.content) return body === '' ? undefined : `${place}: a body where none is described`
    const schema = response.content[name]?.schema
    if (!schema) return `${place}: found ${name || 'no type'}, described ${Object.keys(response.content).join(', ')}`
    if (!name.endsWith('json')) return undefined
    const fault = findFault(schema, JSON.parse(body))
    return fault && `${place}: ${fault} in ${body.slice(0, 300)}`
  }
  const promised = () =>
    Object.values(document.paths).flatMap((operations) =>
      Object.values(operations).flatMap(({ operationId, responses }) =>
        Object.keys(responses).map((status) => `${operationId} ${status}`),
      ),
    )
  return { kept, promised, judge }
}

type Path = { readonly matches: RegExp }

function toMatcher(template: string): RegExp {
  return new RegExp(`^${template.replaceAll('.', '\\.').replaceAll(/\{\w+\}/g, '([^/]+)')}$`)
}

function byPlaceholders(a: Path, b: Path): number {
  return a.matches.source.split('(').length - b.matches.source.split('(').length
}

import { CodeBlock } from '../../ui/CodeBlock.tsx'
import { Code } from './DocsSection.tsx'
import { DocsTable } from './DocsTable.tsx'
import { errorRows } from './endpoints.ts'

const example = `{
  "success": false,
  "error": {
    "code": "RATE_LIMIT_EXCEEDED",
    "message": "The requests of this day (UTC) are used up",
    "limit": 10000,
    "remaining": 0
  }
}`

export function ErrorHandling() {
  return (
    <>
      <p>
        What goes wrong has a status, a code for your program and a message for you. Every answer carries{' '}
        <Code>X-Request-Id</Code>: name it when you tell the operator of a problem.
      </p>
      <CodeBlock label="An error" title="An error, as JSON" code={example} />
      <DocsTable label="Errors" heads={['Status', 'Code', 'Meaning', 'What to do']} rows={errorRows} code={[0, 1]} />
    </>
  )
}

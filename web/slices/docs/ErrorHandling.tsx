import { CodeBlock } from '../../ui/CodeBlock.tsx'
import { Code } from './DocsSection.tsx'
import { DocsTable } from './DocsTable.tsx'
import { errorRows } from './endpoints.ts'

const example = `{
  "success": false,
  "error": {
    "code": "RATE_LIMIT_EXCEEDED",
    "message": "Daily limit reached. It resets at midnight UTC",
    "limit": 10000,
    "remaining": 0
  }
}`

/** The codes of errors, and what to do about each. */
export function ErrorHandling() {
  return (
    <>
      <p>
        Every error has a status, a code for your program and a message for you. Every response has an <Code>X-Request-Id</Code>:
        include it when you report a problem.
      </p>
      <CodeBlock label="An error" title="An error, as JSON" code={example} />
      <DocsTable label="Errors" heads={['Status', 'Code', 'Meaning', 'What to do']} rows={errorRows} code={[0, 1]} />
    </>
  )
}

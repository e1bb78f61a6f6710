import { useState } from 'react'
import { CodeBlock } from '../../ui/CodeBlock.tsx'
import { Segmented } from '../../ui/Segmented.tsx'
import { clientDownload, curlExamples, type ExampleFacts, javaScriptExample, pythonExample } from './apiExamples.ts'

const languages = [
  { value: 'curl', text: 'curl' },
  { value: 'javascript', text: 'JavaScript' },
  { value: 'python', text: 'Python' },
] as const

type Language = (typeof languages)[number]['value']

/** The same question in three languages. */
export function CodeExamples({ facts }: { readonly facts: ExampleFacts }) {
  const [language, setLanguage] = useState<Language>('javascript')
  const marked = facts.apiKey || undefined
  return (
    <>
      <div className="flex flex-wrap items-center justify-between gap-3">
        <p>One price, and the requests left today.</p>
        <Segmented label="Language" options={languages} value={language} onChange={setLanguage} />
      </div>
      <div className="flex min-h-98 flex-col gap-4">
        {language === 'curl' && (
          <CodeBlock label="One price with curl" title="Shell" code={curlExamples(facts).one} marked={marked} />
        )}
        {language === 'javascript' && (
          <>
            <p>
              Our client is one file without dependencies, for Node 20.3 and browsers. Its types are in a second file. Any site
              may import it from here. It retries temporary failures, respects rate limits, and resumes the stream after a
              disconnect.
            </p>
            <CodeBlock label="Fetching the client" title="Fetch the client" code={clientDownload(facts)} />
            <CodeBlock label="One price with JavaScript" title="example.mjs" code={javaScriptExample(facts)} marked={marked} />
          </>
        )}
        {language === 'python' && (
          <CodeBlock label="One price with Python" title="example.py" code={pythonExample(facts)} marked={marked} />
        )}
      </div>
    </>
  )
}

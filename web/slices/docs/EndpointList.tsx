import { CodeBlock } from '../../ui/CodeBlock.tsx'
import { curlExamples, type ExampleFacts } from './apiExamples.ts'
import { Code } from './DocsSection.tsx'
import { DocsTable } from './DocsTable.tsx'
import { endpoints, priceFields } from './endpoints.ts'

/** What can be asked, each with a command that asks it. */
export function EndpointList({ facts }: { readonly facts: ExampleFacts }) {
  const examples = curlExamples(facts)
  return (
    <>
      <p>
        Every response is <Code>{'{ success, data, rateLimit }'}</Code>. Pages of any site can call the API.
      </p>
      {endpoints.map(({ id, method, path, title, words, example }) => (
        <article key={id} id={id} className="scroll-mt-28 pt-3 desk:scroll-mt-20">
          <h3 className="text-16 font-strong text-ink">{title}</h3>
          <p className="mt-1 mb-3">{words}</p>
          <CodeBlock
            label={`${title} with curl`}
            title={
              <span className="font-mono">
                <span className="font-strong text-up">{method}</span> {path}
              </span>
            }
            code={examples[example]}
            marked={facts.apiKey || undefined}
          />
        </article>
      ))}
      <h3 className="pt-3 text-16 font-strong text-ink">Fields of a price</h3>
      <DocsTable label="Fields of a price" heads={['Field', 'Type', 'Meaning']} rows={priceFields} code={[0]} />
    </>
  )
}

import type { WireConfig } from '@chainboard/contract'
import { toDisplayText } from '@chainboard/core'
import { Link } from 'wouter'
import { developersPath, openApiUrl } from '../../lib/urls.ts'
import { ApiKeyField } from './ApiKeyField.tsx'
import { toExampleKey } from './apiExamples.ts'
import { CodeExamples } from './CodeExamples.tsx'
import { DocsContents } from './DocsContents.tsx'
import { Code, DocsSection } from './DocsSection.tsx'
import { EndpointList } from './EndpointList.tsx'
import { ErrorHandling } from './ErrorHandling.tsx'
import { HelpLine } from './HelpLine.tsx'
import { RateLimits } from './RateLimits.tsx'
import { useExampleTokens } from './useExampleTokens.ts'

const link = 'rounded-6 font-strong text-ink underline underline-offset-4'

type Props = { readonly config: WireConfig | undefined; readonly apiKey: string; readonly onApiKey: (key: string) => void }

/** The price API's documentation, with the reader's key in it. */
export function DocsPanel({ config, apiKey, onApiKey }: Props) {
  const facts = { origin: location.origin, apiKey: toExampleKey(apiKey), ...useExampleTokens(config) }
  return (
    <>
      <header className="pt-8 pb-6 tablet:px-3">
        <h1 className="text-28 font-strong tracking-tight">API Documentation</h1>
        <p className="mt-1 text-14 text-ink-2">
          Prices of the tokens on {toDisplayText(config?.chain.name ?? '', 'this chain', 40)}, over HTTP.
        </p>
      </header>
      <div className="gap-14 tablet:px-3 desk:grid desk:grid-cols-[11.5rem_minmax(0,1fr)]">
        <DocsContents />
        <div className="min-w-0 max-w-190 max-desk:pt-8">
          <DocsSection id="introduction">
            <p>
              Ask for a price with a plain GET and get JSON. Each price comes with the block it was read at, its confidence, and
              the reasons when it is weak, so that a program can decide whether to use it. What is written here is also there for
              machines:{' '}
              <a href={openApiUrl} className={link}>
                OpenAPI 3.1
              </a>
              .
            </p>
          </DocsSection>
          <DocsSection id="authentication">
            <p>
              Send your key in the header <Code>X-API-Key</Code>. Without one you use the shared API, which is limited for each IP
              address. A key is free for every wallet:{' '}
              <Link to={`${developersPath}#free-key`} className={link}>
                generate yours
              </Link>
              . Keep it out of pages and repositories; a new signature replaces a key that got out.
            </p>
            <ApiKeyField value={apiKey} onChange={onApiKey} />
          </DocsSection>
          <DocsSection id="endpoints">
            <EndpointList facts={facts} />
          </DocsSection>
          <DocsSection id="rate-limits">
            <RateLimits />
          </DocsSection>
          <DocsSection id="errors">
            <ErrorHandling />
          </DocsSection>
          <DocsSection id="examples">
            <CodeExamples facts={facts} />
          </DocsSection>
          <HelpLine contact={config?.contact} />
        </div>
      </div>
    </>
  )
}

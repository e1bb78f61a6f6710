import type { WireConfig } from '@chainboard/contract'
import { toDisplayText } from '@chainboard/core'
import { Link } from 'wouter'
import { openApiUrl } from '../../lib/priceApiUrls.ts'
import { developersPath } from '../../lib/urls.ts'
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
      <header className="pt-8 pb-6">
        <h1 className="text-28 font-strong tracking-tight">API Documentation</h1>
        <p className="mt-1 text-14 text-ink-2">
          Token prices on {toDisplayText(config?.chain.name ?? '', 'this chain', 40)}, over HTTP.
        </p>
      </header>
      <div className="gap-14 desk:grid desk:grid-cols-[11.5rem_minmax(0,1fr)]">
        <DocsContents />
        <div className="min-w-0 max-w-190 max-desk:pt-8">
          <DocsSection id="introduction">
            <p>
              Send a plain GET request and get JSON. Every price comes with its block, its confidence, and the reasons if it is
              weak, so your program can decide whether to use it. For machines, there is{' '}
              <a href={openApiUrl} className={link}>
                OpenAPI 3.1
              </a>
              .
            </p>
          </DocsSection>
          <DocsSection id="authentication">
            <p>
              Send your key in the <Code>X-API-Key</Code> header. Without a key you use the shared API, which is limited per IP
              address. Every wallet can get one free key:{' '}
              <Link to={`${developersPath}#free-key`} className={link}>
                generate yours
              </Link>
              . Keep it out of web pages and repositories. If it leaks, sign again to replace it.
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

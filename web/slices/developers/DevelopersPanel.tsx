import type { WireConfig } from '@chainboard/contract'
import { toDisplayText } from '@chainboard/core'
import type { ReactNode } from 'react'
import { ApiBenefits } from './ApiBenefits.tsx'
import { ApiContact } from './ApiContact.tsx'
import { ApiHero } from './ApiHero.tsx'
import { ApiPricing } from './ApiPricing.tsx'

/** The price API for whoever may want to use it. */
export function DevelopersPanel({ config, children }: { readonly config: WireConfig | undefined; readonly children: ReactNode }) {
  return (
    <>
      <ApiHero chainName={toDisplayText(config?.chain.name ?? '', 'this chain', 40)} />
      <ApiBenefits />
      {children}
      <ApiPricing />
      <ApiContact contact={config?.contact} />
    </>
  )
}

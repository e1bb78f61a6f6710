import type { ReactNode } from 'react'
import { type SectionId, sections } from './sections.ts'

/** A part of the documentation with its heading, to which addresses can lead. */
export function DocsSection({ id, children }: { readonly id: SectionId; readonly children: ReactNode }) {
  return (
    <section
      aria-labelledby={`${id}-title`}
      id={id}
      className="scroll-mt-28 border-line border-b py-10 first:pt-0 last:border-0 desk:scroll-mt-20"
    >
      <h2 id={`${id}-title`} className="mb-3 text-20 font-strong tracking-tight">
        {sections.find((section) => section.id === id)?.title}
      </h2>
      <div className="flex flex-col gap-4 text-14 leading-6 text-ink-2">{children}</div>
    </section>
  )
}

/** A word of code in a sentence. */
export function Code({ children }: { readonly children: ReactNode }) {
  return <code className="rounded-6 bg-surface-2 px-1.5 py-0.5 font-mono text-12 text-ink wrap-anywhere">{children}</code>
}

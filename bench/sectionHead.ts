import type { Measuring } from './measureSection.ts'

type Head = Measuring & {
  readonly title: string
  /** What was measured, in a sentence or two. */
  readonly about: string
  /** What besides the machine decides the figures: versions of others' programs. */
  readonly facts?: readonly string[]
}

/** How a section begins, paragraph by paragraph: what was measured, the command that repeats it, the machine, and whether it was busy. */
export function toHead({ title, about, command, machine, facts = [] }: Head): string[] {
  return [
    `## ${title}`,
    about,
    `\`\`\`sh\n${command}\n\`\`\``,
    [...machine.words, ...facts].map((line) => `- ${line}`).join('\n'),
    ...(machine.busy ? ['**Other programs were running on this machine, so these figures are from a busy one.**'] : []),
  ]
}

import { Failure } from '@chainboard/core'
import type { Problem } from '../findProblems.ts'
import type { FlagName } from './initFlags.ts'

/** One thing that the operator decides. */
export type Question<T> = {
  readonly flag: FlagName
  /** Ends the sentence "expected …". */
  readonly what: string
  /** What the flag said, if it was there. */
  readonly given: string | undefined
  /** What the survey would take; absent when it found nothing. */
  readonly proposal?: string | undefined
  /** True: a default that harms nobody, which is taken without a yes. */
  readonly harmless?: boolean
  /** Undefined: the text is not what is wanted. */
  readonly parse: (text: string) => T | undefined
}

export type Asker = {
  /** @throws Failure `config-invalid` when the answer is malformed, or missing and nothing can be found without it */
  settle<T>(question: Question<T>): Promise<T>
  /** Names a question that will come up and that nothing found will answer, so that all of them are listed at once. */
  foresee(question: Pick<Question<unknown>, 'flag' | 'what' | 'given'>): void
  /** A yes of the person at the terminal; false when nobody is there. `--yes` is none. */
  confirm(text: string): Promise<boolean>
  /** @throws Failure `config-invalid` that lists everything that nobody answered */
  finish(): void
}

export type AskerDeps = {
  /** Asks a person at a terminal; undefined: nobody is there. */
  readonly prompt: ((text: string) => Promise<string>) | undefined
  readonly yes: boolean
  readonly say: (line: string) => void
}

const triesMax = 5

/**
 * Settles questions: by their flag, by a person, or by the proposal with `--yes`. Without a person an open question keeps its
 * proposal for the survey to go on with, and `finish` refuses.
 */
export function createAsker({ prompt, yes, say }: AskerDeps): Asker {
  const open: Problem[] = []

  const askPerson = async <T>(question: Question<T>, ask: NonNullable<AskerDeps['prompt']>): Promise<T> => {
    const { flag, what, proposal, parse } = question
    for (let tries = 0; tries < triesMax; tries += 1) {
      const text = (await ask(`${capitalize(what)}${proposal ? ` [${proposal}]` : ''}: `)).trim() || (proposal ?? '')
      const value = parse(text)
      if (value !== undefined) return value
      say(`That is not ${what}.`)
    }
    throw unsettled([{ field: `--${flag}`, found: 'no such answer', wanted: what }])
  }

  return {
    async settle(question) {
      const { flag, what, given, proposal, harmless = false, parse } = question
      const field = `--${flag}`
      if (given !== undefined) {
        const value = parse(given)
        if (value === undefined) throw unsettled([{ field, found: 'something else', wanted: what }])
        return value
      }
      const proposed = proposal === undefined ? undefined : parse(proposal)
      if (proposed !== undefined && (yes || (harmless && !prompt))) {
        if (!harmless) say(`${field} ${proposal}: accepted because of --yes`)
        return proposed
      }
      if (prompt) return askPerson(question, prompt)
      const found = proposal === undefined ? 'nothing' : `${proposal}, not confirmed`
      open.push({ field, found, wanted: `${what}${proposal === undefined ? '' : '; --yes accepts what was found'}` })
      if (proposed === undefined) throw unsettled(open)
      return proposed
    },
    foresee({ flag, what, given }) {
      if (given === undefined && !prompt) open.push({ field: `--${flag}`, found: 'nothing', wanted: what })
    },
    async confirm(text) {
      return prompt !== undefined && /^y(es)?$/i.test((await prompt(`${text} [y/N]: `)).trim())
    },
    finish() {
      if (open.length > 0) throw unsettled(open)
    },
  }
}

function capitalize(text: string): string {
  return `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`
}

/** Why no file is written: what each flag was found to be, and what is wanted. */
export function unsettled(problems: readonly Problem[]): Failure {
  return new Failure('config-invalid', 'Nothing was written', { detail: { problems } })
}

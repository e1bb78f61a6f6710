import { type ComponentType, lazy, useState } from 'react'
import { loadPart } from './loadPart.ts'

type Code<P> = { readonly default: ComponentType<P> }
type Ways = { readonly again: () => Promise<unknown>; readonly renew: () => void }

/** The code of a part did not arrive, however often it was asked for. */
export class PartMissing extends Error {
  override readonly name = 'PartMissing'
  /** Asks for it once more. */
  readonly again: () => Promise<unknown>
  /** The next place that shows the part asks for it, too. */
  readonly renew: () => void

  constructor({ again, renew }: Ways, cause: unknown) {
    super('The code of a part did not arrive', { cause })
    this.again = again
    this.renew = renew
  }
}

/**
 * A part of the page whose code comes when it is shown. With `load` it comes ahead: a page that the server drew is taken over with its code
 * there, and drawn with it. Without its code the part throws {@link PartMissing}, for the Boundary around it.
 */
export function lazyPart<P extends object>(fetchCode: () => Promise<Code<P>>) {
  let loaded: ComponentType<P> | undefined
  let loading: Promise<Code<P>> | undefined
  const again = async () => {
    const code = await fetchCode()
    loaded = code.default
    return code
  }
  const renew = () => {
    Later = lazy(load)
  }
  const load = () => {
    loading ??= loadPart(again)
      .catch((error: unknown) => {
        throw new PartMissing({ again, renew }, error)
      })
      .finally(() => {
        loading = undefined
      })
    return loading
  }
  let Later = lazy(load)
  // biome-ignore lint/correctness/noComponentHookFactories: made once for each part, by the modules that name them
  function Part(props: P) {
    const [Shown] = useState<ComponentType<P>>(() => loaded ?? Later)
    return <Shown {...props} />
  }
  return Object.assign(Part, { load })
}

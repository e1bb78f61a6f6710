import { type ComponentType, lazy, useState } from 'react'

/**
 * A page whose code comes when it is shown. With `load` it comes ahead: a page that the server drew is taken over with its code there, and
 * drawn with it.
 */
export function lazyPage<P extends object>(fetchCode: () => Promise<{ readonly default: ComponentType<P> }>) {
  let loaded: ComponentType<P> | undefined
  const load = async () => {
    const code = await fetchCode()
    loaded = code.default
    return code
  }
  const Later = lazy(load)
  // biome-ignore lint/correctness/noComponentHookFactories: made once for each page, by the modules that name them
  function Page(props: P) {
    const [Shown] = useState<ComponentType<P>>(() => loaded ?? Later)
    return <Shown {...props} />
  }
  return Object.assign(Page, { load })
}

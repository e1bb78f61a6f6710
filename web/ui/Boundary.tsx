import { Component, type ReactNode } from 'react'
import { PartMissing } from '../lib/lazyPart.tsx'
import { loadAgain } from '../lib/loadPart.ts'

/** Asks for the code of a part that did not arrive; loads the page again when the part broke by itself. */
export type Retry = { readonly busy: boolean; readonly onRetry: () => void }

type Props = { readonly fallback: ReactNode | ((retry: Retry, isMissing: boolean) => ReactNode); readonly children: ReactNode }
type State = { readonly broken: boolean; readonly busy: boolean; readonly missing: PartMissing | undefined }

/** Keeps a part that breaks, or whose code does not arrive, from taking the page with it. */
export class Boundary extends Component<Props, State> {
  override readonly state: State = { broken: false, busy: false, missing: undefined }

  static getDerivedStateFromError(error: unknown): State {
    return { broken: true, busy: false, missing: error instanceof PartMissing ? error : undefined }
  }

  override componentDidCatch(): void {
    this.state.missing?.renew()
  }

  readonly onRetry = async (): Promise<void> => {
    const { missing } = this.state
    if (!missing) return location.reload()
    this.setState({ busy: true })
    const isThere = await loadAgain(missing.again)
    this.setState({ busy: false, broken: !isThere })
  }

  override render() {
    const { fallback, children } = this.props
    const { broken, busy, missing } = this.state
    if (!broken) return children
    const retry = { busy, onRetry: () => void this.onRetry() }
    return typeof fallback === 'function' ? fallback(retry, missing !== undefined) : fallback
  }
}

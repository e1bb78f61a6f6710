import type { WireToken } from '@chainboard/contract'
import { createElement, lazy, type ReactNode, Suspense } from 'react'
import type { ExtraKey } from './tableLook.ts'

const Cell = lazy(() => import('./ExtraCells.tsx'))

type Props = { readonly column: ExtraKey; readonly token: WireToken }

/** A cell of a further column, whose code comes when the first of them is shown. */
export function ExtraCell(props: Props): ReactNode {
  return createElement(Suspense, { fallback: null }, createElement(Cell, props))
}

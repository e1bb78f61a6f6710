import { useMemo } from 'react'
import { useMediaQuery } from '../../lib/useMediaQuery.ts'
import { toColumns } from './extraColumns.tsx'
import { noColumns, wideQuery } from './tableLook.ts'
import { type TokenColumn, tokenColumns } from './tokenColumns.tsx'

/**
 * The columns of the specification, and between them as many of the wanted ones as fit the window.
 * @param shown further columns as an address writes them
 */
export function useColumns(shown: string): readonly TokenColumn[] {
  const steps = [useMediaQuery('(min-width: 1000px)'), useMediaQuery('(min-width: 1232px)'), useMediaQuery(wideQuery)]
  const step = steps.filter(Boolean).length
  return useMemo(() => (step > 0 && shown !== noColumns ? toColumns(shown, step) : tokenColumns), [shown, step])
}

import { useEffect, useMemo, useState } from 'react'
import { loadPart } from '../../lib/loadPart.ts'
import { useMediaQuery } from '../../lib/useMediaQuery.ts'
import { noColumns, wideQuery } from './tableLook.ts'
import { type TokenColumn, tokenColumns } from './tokenColumns.tsx'

type Code = { readonly toColumns: (shown: string, step: number) => readonly TokenColumn[] }

let loaded: Code | undefined

/**
 * The columns of the specification, and between them as many of the wanted ones as fit the window. The code of those comes when there are
 * some: until then the table is not `ready`, so that no column moves. Without it the table does without.
 * @param shown further columns as an address writes them
 */
export function useColumns(shown: string): { readonly columns: readonly TokenColumn[]; readonly ready: boolean } {
  const steps = [useMediaQuery('(min-width: 1000px)'), useMediaQuery('(min-width: 1232px)'), useMediaQuery(wideQuery)]
  const step = steps.filter(Boolean).length
  const wanted = step > 0 && shown !== noColumns
  const [code, setCode] = useState<Code | 'failed' | undefined>(loaded)
  useEffect(() => {
    if (!wanted || code) return
    const fetchCode = () => import('./extraColumns.tsx')
    fetchCode()
      .catch(() => {
        // The rows do not wait for another try.
        setCode('failed')
        return loadPart(fetchCode)
      })
      .then(
        ({ toColumns }) => {
          loaded = { toColumns }
          setCode(loaded)
        },
        () => undefined,
      )
  }, [wanted, code])
  const columns = useMemo(
    () => (wanted && code && code !== 'failed' ? code.toColumns(shown, step) : tokenColumns),
    [wanted, code, shown, step],
  )
  return { columns, ready: !wanted || code !== undefined }
}

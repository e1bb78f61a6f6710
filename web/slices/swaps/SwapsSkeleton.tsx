import { phoneQuery, useMediaQuery } from '../../lib/useMediaQuery.ts'
import { Skeleton } from '../../ui/Skeleton.tsx'
import { swapCardLook } from './SwapCard.tsx'
import { SwapTable, swapRowLook } from './SwapTable.tsx'

/** As many as fit into the modal. */
const rows = Array.from({ length: 16 }, (_, index) => index)

/** Swaps that are still being read, with the geometry of the table, or of the cards on a phone. */
export function SwapsSkeleton() {
  const phone = useMediaQuery(phoneQuery)
  return (
    <>
      <span role="status" className="sr-only">
        Loading the swaps
      </span>
      <div aria-hidden="true">{phone ? <Cards /> : <Rows />}</div>
    </>
  )
}

function Cards() {
  return (
    <ul className="px-5 pb-4">
      {rows.map((row) => (
        <li key={row} className={swapCardLook}>
          <span className="flex h-10 flex-col justify-around">
            <Skeleton width={136} />
            <Skeleton width={56} height={12} />
          </span>
          <span className="flex h-10 flex-col items-end justify-around">
            <Skeleton width={64} />
            <Skeleton width={88} height={12} />
          </span>
          <span className="flex h-11 items-center justify-center">
            <Skeleton width={16} height={16} />
          </span>
        </li>
      ))}
    </ul>
  )
}

function Rows() {
  return (
    <SwapTable>
      {rows.map((row) => (
        <tr key={row} className={swapRowLook}>
          <td className="pl-5">
            <Skeleton width={44} />
          </td>
          <td>
            <Skeleton width={56} />
          </td>
          <td className="text-right">
            <Skeleton width={104} />
          </td>
          <td className="text-right">
            <Skeleton width={72} />
          </td>
          <td className="text-right">
            <Skeleton width={96} />
          </td>
          <td className="pr-5 text-right">
            <Skeleton width={16} />
          </td>
        </tr>
      ))}
    </SwapTable>
  )
}

import { Skeleton } from '../../ui/Skeleton.tsx'

/** A token's page that is still being read, with the geometry of its head, price and chart. */
export function TokenPageSkeleton() {
  return (
    <div role="status" className="flex flex-col gap-4 pt-4">
      <span className="sr-only">Loading the token</span>
      <div className="flex items-center gap-3 pl-9">
        <span className="skeleton size-10 rounded-full!" />
        <span className="flex h-12 flex-col justify-around">
          <Skeleton width={168} height={20} />
          <Skeleton width={208} height={12} />
        </span>
      </div>
      <div className="flex h-24 flex-col justify-around">
        <Skeleton width={232} height={28} />
        <Skeleton width={280} height={12} />
        <Skeleton width={320} height={12} />
      </div>
      <div className="skeleton h-110 w-full rounded-14!" />
    </div>
  )
}

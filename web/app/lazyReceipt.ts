import { lazyPart } from '../lib/lazyPart.tsx'

/** One of the pages of the market, whose code comes apart from theirs. */
export const ReceiptPage = lazyPart(() => import('./pages/ReceiptPage.tsx'))

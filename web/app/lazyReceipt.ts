import { lazyPage } from './lazyPage.tsx'

/** One of the pages of the market, whose code comes apart from theirs. */
export const ReceiptPage = lazyPage(() => import('./pages/ReceiptPage.tsx'))

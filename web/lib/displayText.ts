export { toDisplayText } from '@chainboard/core'

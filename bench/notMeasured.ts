/** A benchmark could not measure: something that it needs is missing, ended, or answered in another shape. It is shown with its stack. */
export class NotMeasured extends Error {
  override readonly name = 'NotMeasured'
}

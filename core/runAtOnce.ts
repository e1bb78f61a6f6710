/** Does work that was made to be done step by step, all at once. @returns what it comes to. Fails as it does */
export function runAtOnce<T>(steps: Iterator<void, T>): T {
  for (;;) {
    const step = steps.next()
    if (step.done) return step.value
  }
}

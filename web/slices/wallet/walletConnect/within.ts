/** It took longer than it may. */
class TooLate extends Error {}

/** @throws TooLate when the promise is not kept in time */
export async function within<T>(msMax: number, promise: Promise<T>): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new TooLate()), msMax)
  })
  try {
    return await Promise.race([promise, late])
  } finally {
    clearTimeout(timer)
  }
}

/** What is asked of a page, or null when it fails or takes too long: pages crash, hang and move on while asked. */
export async function withTimeout<T>(ms: number, asked: PromiseLike<T>): Promise<T | null> {
  const late = Promise.withResolvers<null>()
  const timer = setTimeout(() => late.resolve(null), ms)
  const answered = Promise.resolve(asked).catch((error: unknown) => {
    if (!(error instanceof Error)) throw error
    return null
  })
  try {
    return await Promise.race([answered, late.promise])
  } finally {
    clearTimeout(timer)
  }
}

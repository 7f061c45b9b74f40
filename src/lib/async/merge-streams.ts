/** Things that somebody pushes, for somebody else to take when he comes round to it. */
export type PushQueue<T> = {
  push(item: T): void
  /** Whatever has been pushed since. */
  drain(): Generator<T>
  /** Resolves when there is something to take. */
  whenNotEmpty(): Promise<null>
}

export function createPushQueue<T>(): PushQueue<T> {
  let items: T[] = []
  let told = Promise.withResolvers<null>()
  return {
    push(item) {
      items.push(item)
      told.resolve(null)
    },
    *drain() {
      const taken = items
      items = []
      told = Promise.withResolvers()
      yield* taken
    },
    whenNotEmpty: () => told.promise,
  }
}

/** What the source yields and what is pushed meanwhile, each as soon as it is there; ends with the source. */
export async function* mergeWithQueue<T, U>(
  source: AsyncGenerator<T, void, undefined>,
  outbox: PushQueue<U>,
): AsyncGenerator<T | U> {
  const ask = () => {
    const asked = source.next()
    // Awaited later; until then a failure must not count as unhandled.
    void Promise.allSettled([asked])
    return asked
  }
  let next = ask()
  try {
    for (;;) {
      yield* outbox.drain()
      const first = await Promise.race([next, outbox.whenNotEmpty()])
      if (first === null) continue
      if (first.done) return
      yield first.value
      next = ask()
    }
  } finally {
    void source.return()
  }
}

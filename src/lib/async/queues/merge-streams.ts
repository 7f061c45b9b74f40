import { preventUnhandledRejection } from '../await-later.ts'

/** A queue between a producer that pushes items and a consumer that drains them later. */
export type PushQueue<T> = {
  push(item: T): void
  /** Yields and removes all items that were pushed since the last drain. */
  drain(): Generator<T>
  /** Resolves when the queue has at least one item. */
  whenNotEmpty(): Promise<null>
}

export function createPushQueue<T>(): PushQueue<T> {
  let items: T[] = []
  let notEmpty = Promise.withResolvers<null>()
  return {
    push(item) {
      items.push(item)
      notEmpty.resolve(null)
    },
    *drain() {
      const drained = items
      items = []
      notEmpty = Promise.withResolvers()
      yield* drained
    },
    whenNotEmpty: () => notEmpty.promise,
  }
}

/** Yields the items of the source and of the queue, each as soon as it is available; ends when the source ends. */
export async function* mergeWithQueue<T, U>(
  source: AsyncGenerator<T, void, undefined>,
  queue: PushQueue<U>,
): AsyncGenerator<T | U> {
  const readNext = () => preventUnhandledRejection(source.next())
  let next = readNext()
  try {
    for (;;) {
      yield* queue.drain()
      const first = await Promise.race([next, queue.whenNotEmpty()])
      if (first === null) continue
      if (first.done) return
      yield first.value
      next = readNext()
    }
  } finally {
    void source.return()
  }
}

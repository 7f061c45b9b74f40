/** The maximum time of a slice, far below the limit for a delayed event loop. */
const SLICE_MS = 10

/** A pause for the event loop, if the last one was long enough ago. */
function createPauses(): () => Promise<void> | undefined {
  let last = performance.now()
  return () => {
    if (performance.now() - last < SLICE_MS) return undefined
    return new Promise((resolve) =>
      setImmediate(() => {
        last = performance.now()
        resolve()
      }),
    )
  }
}

/** Like `map`, but lets the event loop run between slices, so that a long list delays nothing else. */
export async function mapInSlices<Item, Result>(
  items: readonly Item[],
  convert: (item: Item, index: number) => Result,
): Promise<Result[]> {
  const results: Result[] = []
  const pause = createPauses()
  for (const [index, item] of items.entries()) {
    const pausing = pause()
    if (pausing !== undefined) await pausing
    results.push(convert(item, index))
  }
  return results
}

/** Yields the same items, with pauses for the event loop. A stream would read all of a fast generator in one turn. */
export async function* iterateInSlices<Item>(items: Iterable<Item>): AsyncGenerator<Item> {
  const pause = createPauses()
  for (const item of items) {
    const pausing = pause()
    if (pausing !== undefined) await pausing
    yield item
  }
}

/** Items between two pauses. A slice must take far less time than the limit for a delayed event loop. */
const SLICE_SIZE = 100

/** Like `map`, but lets the event loop run between slices of the list, so that a long list delays nothing else. */
export async function mapInSlices<Item, Result>(
  items: readonly Item[],
  convert: (item: Item, index: number) => Result,
): Promise<Result[]> {
  const results: Result[] = []
  for (const [index, item] of items.entries()) {
    if (index > 0 && index % SLICE_SIZE === 0)
      await new Promise<void>((resolve) => setImmediate(resolve))
    results.push(convert(item, index))
  }
  return results
}

/** A value that is created at first use and then cached. */
export interface LazyValue<Value> {
  get(): Promise<Value>
  /** The value if `get` has been called; null before. */
  peek(): Promise<Value> | null
}

/** A failed creation is not cached: the next `get` tries again. */
export function createLazyValue<Value>(create: () => Promise<Value>): LazyValue<Value> {
  let created: Promise<Value> | null = null
  return {
    get() {
      created ??= create().catch((error: unknown) => {
        created = null
        throw error
      })
      return created
    },
    peek: () => created,
  }
}

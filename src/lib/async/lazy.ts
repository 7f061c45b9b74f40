/** A value that is created at first use and then cached. */
export interface Lazy<Value> {
  get(): Promise<Value>
  /** The value if `get` has been called; null before. */
  peek(): Promise<Value> | null
}

/** A failed creation is not cached: the next `get` tries again. */
export function createLazy<Value>(create: () => Promise<Value>): Lazy<Value> {
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

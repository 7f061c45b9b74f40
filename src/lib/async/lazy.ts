/** Something that is made when it is first wanted, and then kept. */
export interface Lazy<Value> {
  get(): Promise<Value>
  /** Null while nobody has wanted it. */
  peek(): Promise<Value> | null
}

/** A failure is not kept: who asks next tries again. */
export function createLazy<Value>(make: () => Promise<Value>): Lazy<Value> {
  let made: Promise<Value> | null = null
  return {
    get() {
      made ??= make().catch((error: unknown) => {
        made = null
        throw error
      })
      return made
    },
    peek: () => made,
  }
}

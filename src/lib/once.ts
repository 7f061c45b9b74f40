/** Something that is made when it is first wanted, and then kept. */
export interface Once<Value> {
  get(): Promise<Value>
  /** Null while nobody has wanted it. */
  made(): Promise<Value> | null
}

/** A failure is not kept: who asks next tries again. */
export function once<Value>(make: () => Promise<Value>): Once<Value> {
  let made: Promise<Value> | null = null
  return {
    get() {
      made ??= make().catch((error: unknown) => {
        made = null
        throw error
      })
      return made
    },
    made: () => made,
  }
}

import { createRequire } from 'node:module'

const load = createRequire(import.meta.url)

/** A package that is loaded when it is first wanted: the start, and whoever never wants it, are quicker without. */
export function lazyRequire(name: string): () => unknown {
  return () => load(name)
}
